import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { ActionIcon, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil, IconPlus, IconTags, IconTrash } from '@/icons';
import { ConfirmDialog } from '@/shared/forms/confirm-dialog';
import { FormDialog } from '@/shared/forms/form-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { useAction } from '@/shared/forms/use-action';
import { EmptyState } from '@/shared/layout/empty-state';
import { QueryView } from '@/shared/layout/query-view';
import { Section } from '@/shared/layout/section';
import { useWholeList } from '@/shared/lists/whole-list';
import { CategoryChoicesDocument } from '@/shared/project/choices.generated';
import {
  CreateCategoryDocument,
  CreateSubcategoryDocument,
  DeleteCategoryDocument,
  DeleteSubcategoryDocument,
  RenameCategoryDocument,
  RenameSubcategoryDocument,
} from './admin.generated';

const REFETCH = { refetchQueries: ['CategoryChoices'] };

/** The categories of workflows, which the marketplace and the catalog filter by. */
export function CategoriesSection() {
  const { items, query } = useWholeList(CategoryChoicesDocument, 'categories', { variables: {} });
  const [isOpen, dialog] = useDisclosure(false);
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
      New category
    </Button>
  );
  return (
    <QueryView query={query}>
      {() => (
        <Section
          isPlain
          title="Categories"
          description="People filter the marketplace and the catalog by category."
          actions={items.length > 0 ? create : undefined}
        >
          {items.length === 0 && (
            <EmptyState icon={IconTags} title="No categories" action={create}>
              Authors choose a category when they publish a workflow.
            </EmptyState>
          )}
          <Stack gap="sm" maw={720}>
            {items.map(category => (
              <Category key={category.id} {...category} />
            ))}
          </Stack>
          {isOpen && <NameDialog title="New category" document={CreateCategoryDocument} onClose={dialog.close} />}
        </Section>
      )}
    </QueryView>
  );
}

interface CategoryProps {
  id: number;
  name: string;
  subcategories: { id: number; name: string }[];
}

function Category({ id, name, subcategories }: CategoryProps) {
  const [isAdding, adding] = useDisclosure(false);
  return (
    <Paper px="md" py="xs">
      <Group justify="space-between" wrap="nowrap">
        <Text fw={500} fz="sm">
          {name}
        </Text>
        <Group gap={2} wrap="nowrap">
          <ActionIcon aria-label={`Add a subcategory to ${name}`} onClick={adding.open}>
            <IconPlus size={16} />
          </ActionIcon>
          <NameActions id={id} name={name} rename={RenameCategoryDocument} remove={DeleteCategoryDocument} />
        </Group>
      </Group>
      {subcategories.map(one => (
        <Group key={one.id} justify="space-between" wrap="nowrap" pl="md">
          <Text fz="sm">{one.name}</Text>
          <Group gap={2} wrap="nowrap">
            <NameActions {...one} rename={RenameSubcategoryDocument} remove={DeleteSubcategoryDocument} />
          </Group>
        </Group>
      ))}
      {isAdding && (
        <NameDialog
          title={`New subcategory of ${name}`}
          document={CreateSubcategoryDocument}
          variables={{ categoryId: id }}
          onClose={adding.close}
        />
      )}
    </Paper>
  );
}

interface NameActionsProps {
  id: number;
  name: string;
  rename: TypedDocumentNode<object, { id: number; name: string }>;
  remove: TypedDocumentNode<object, { id: number }>;
}

function NameActions({ id, name, rename, remove }: NameActionsProps) {
  const [isRenaming, renaming] = useDisclosure(false);
  const [isDeleting, deletion] = useDisclosure(false);
  const { runOrThrow } = useAction(remove, { failure: 'Not deleted', ...REFETCH });
  return (
    <>
      <ActionIcon aria-label={`Rename ${name}`} onClick={renaming.open}>
        <IconPencil size={16} />
      </ActionIcon>
      <ActionIcon aria-label={`Delete ${name}`} onClick={deletion.open}>
        <IconTrash size={16} />
      </ActionIcon>
      {isRenaming && (
        <NameDialog
          title={`Rename ${name}`}
          name={name}
          document={rename}
          variables={{ id }}
          onClose={renaming.close}
        />
      )}
      <ConfirmDialog
        isOpen={isDeleting}
        onClose={deletion.close}
        title={`Delete “${name}”?`}
        confirmLabel="Delete"
        onConfirm={() => runOrThrow({ id })}
      >
        Its workflows stay, without a category.
      </ConfirmDialog>
    </>
  );
}

interface NameDialogProps<TVariables extends OperationVariables> {
  title: string;
  name?: string;
  document: TypedDocumentNode<object, TVariables & { name: string }>;
  variables?: TVariables;
  onClose: () => void;
}

function NameDialog<T extends OperationVariables>({
  title,
  name = '',
  document,
  variables,
  onClose,
}: NameDialogProps<T>) {
  const form = useForm({ initialValues: { name } });
  const { submit, isBusy, problem } = useFormMutation(document, { form, ...REFETCH, onDone: onClose });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={title}
      submitLabel="Save"
      isBusy={isBusy}
      problem={problem}
      onSubmit={form.onSubmit(values => submit({ ...(variables as T), name: values.name.trim() }))}
    >
      <TextInput label="Name" required maxLength={255} data-autofocus {...form.getInputProps('name')} />
    </FormDialog>
  );
}
