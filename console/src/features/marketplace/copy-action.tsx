import { useQuery } from '@apollo/client/react';
import { Button, Select, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { Link, useNavigate } from '@tanstack/react-router';
import { IconCopyPlus } from '@/icons';
import { FormDialog } from '@/shared/forms/form-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { MAX_OPTIONS } from '@/shared/lists/whole-list';
import { notifySuccess } from '@/shared/notify';
import { useProjectChoices } from '@/shared/project/use-choices';
import { lastProjectId } from '@/shared/project/use-project';
import type { Listing } from './listing-screen';
import { CopyListingDocument, OwnWorkflowsDocument, type OwnWorkflowsQuery } from './marketplace.generated';
import { feeText } from './price';

/** Copies a published workflow. Its author opens the original instead, and a user with a copy opens the copy. */
export function CopyAction({ listing }: { listing: Listing }) {
  const { id, copiedWorkflowId } = listing;
  const [isCopying, dialog] = useDisclosure(false);
  const { data, loading } = useQuery(OwnWorkflowsDocument, {
    variables: { id, copyId: copiedWorkflowId, hasCopy: copiedWorkflowId > 0 },
    // Each of the two workflows may be invisible to the viewer.
    errorPolicy: 'all',
  });
  if (isAuthor(data) && data?.original) return <OpenButton workflow={data.original} label="Open workflow" />;
  if (data?.copy) return <OpenButton workflow={data.copy} label="Open your copy" />;
  return (
    <>
      <Button leftSection={<IconCopyPlus size={16} />} loading={loading && !data} onClick={dialog.open}>
        Copy to a project
      </Button>
      {isCopying && <CopyDialog listing={listing} onClose={dialog.close} />}
    </>
  );
}

/**
 * Whether the service returns the original instead of a copy. Administrators of the service may edit every workflow but are authors
 * only as members. The creator with the role viewer is an author too, which the API does not show: `CopyDialog` reports it.
 */
function isAuthor(data: OwnWorkflowsQuery | undefined): boolean {
  if (!data?.original?.canEdit) return false;
  const { me, original } = data;
  if (!me?.isAdmin) return true;
  return original.project.members.items.some(({ userId, role }) => userId === me.id && role !== 'VIEWER');
}

function OpenButton({
  workflow: { id, projectId },
  label,
}: {
  workflow: { id: number; projectId: number };
  label: string;
}) {
  const params = { projectId: String(projectId), workflowId: String(id) };
  return (
    <Button renderRoot={props => <Link {...props} to="/projects/$projectId/workflows/$workflowId" params={params} />}>
      {label}
    </Button>
  );
}

function CopyDialog({ listing, onClose }: { listing: Listing; onClose: () => void }) {
  const navigate = useNavigate();
  const projects = useProjectChoices().filter(({ canEdit }) => canEdit);
  const form = useForm({ initialValues: { projectId: lastProjectId() === null ? '' : String(lastProjectId()) } });
  const { submit, isBusy, problem } = useFormMutation(CopyListingDocument, {
    form,
    onDone: async ({ workflowCopyFromMarketplace }, variables) => {
      const copy = workflowCopyFromMarketplace?.workflow;
      if (!copy) return;
      if (copy.id === listing.id) notifySuccess('You are the author, so this is the original. Nothing was copied.');
      else if (copy.projectId !== variables.projectId) notifySuccess('This is the copy that you already have.');
      await navigate({
        to: '/projects/$projectId/workflows/$workflowId/marketplace',
        params: { projectId: String(copy.projectId), workflowId: String(copy.id) },
      });
    },
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`Copy “${listing.marketTitle}”`}
      submitLabel="Copy workflow"
      isBusy={isBusy}
      problem={problem}
      onSubmit={form.onSubmit(({ projectId }) => submit({ slug: listing.slug, projectId: Number(projectId) }))}
    >
      <Text fz="sm" c="dimmed">
        The copy runs in your project and on its budget. Terms: {feeText(listing).toLowerCase()}. Keys and documents of
        the author are not copied.
      </Text>
      <Select
        label="Project"
        required
        searchable
        limit={MAX_OPTIONS}
        allowDeselect={false}
        data-autofocus
        data={projects.map(({ id, name }) => ({ value: String(id), label: name }))}
        {...form.getInputProps('projectId')}
      />
    </FormDialog>
  );
}
