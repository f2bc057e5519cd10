import { useQuery } from '@apollo/client/react';
import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { MeDocument } from '@/session/session.generated';
import { FormDialog } from '@/shared/forms/form-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { notifySuccess } from '@/shared/notify';
import { useProjectId } from '@/shared/project/use-project';
import { OfferMembershipDocument } from './members.generated';
import type { Member } from './members-section';
import { ROLES } from './roles';

/** Invites a person by email. Administrators of the service add the person without an invitation. */
export function InviteDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const projectId = useProjectId();
  const { data } = useQuery(MeDocument);
  const form = useForm({ initialValues: { email: '', role: 'EDITOR' as Member['role'] } });
  const { submit, isBusy, problem } = useFormMutation(OfferMembershipDocument, {
    form,
    refetchQueries: ['Members', 'Invitations'],
    onDone: ({ projectMemberOffer }, { email }) => {
      const isPending = projectMemberOffer?.projectMemberOffer?.isPending;
      notifySuccess(isPending ? `${email} is invited for 14 days.` : `${email} is a member now.`);
      form.reset();
      onClose();
    },
  });
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Invite to the project"
      submitLabel="Invite"
      isBusy={isBusy}
      problem={problem}
      onSubmit={form.onSubmit(({ email, role }) => submit({ projectId, email: email.trim(), role }))}
    >
      <TextInput
        label="Email"
        type="email"
        description={
          data?.me?.isAdmin
            ? 'You are an administrator of the service: the person needs an account and becomes a member at once.'
            : 'The invitation appears in the console after signing in. No email is sent.'
        }
        required
        data-autofocus
        maxLength={254}
        {...form.getInputProps('email')}
      />
      <Select label="Role" data={ROLES} allowDeselect={false} {...form.getInputProps('role')} />
    </FormDialog>
  );
}
