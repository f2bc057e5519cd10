import { TagsInput } from '@mantine/core';
import { useAction } from '@/shared/forms/use-action';
import { MAX_TAG, MAX_TAGS } from '../list/run-filter';
import { RunTags } from '../list/run-tags';
import { SetRunTagsDocument } from './actions.generated';
import type { RunDetailsFragment } from './run.generated';

/** The tags of a run. Each change is saved at once; a refused change is taken back. */
export function RunTagsEditor({ run: { id, tags, project } }: { run: RunDetailsFragment }) {
  const { run: save } = useAction(SetRunTagsDocument, { failure: 'Tags not changed' });
  if (!project.canEdit) return <RunTags tags={tags} />;
  const change = (changed: string[]) => {
    const next = [...new Set(changed.map(tag => tag.trim().slice(0, MAX_TAG)))].sort();
    const workflowRun = { id, tags: next };
    const payload = { workflowRun, errors: [] };
    void save({ id, tags: next }, { workflowRunTagsSet: payload });
  };
  return (
    <TagsInput
      aria-label="Tags"
      placeholder={tags.length === 0 ? 'Add a tag' : undefined}
      size="xs"
      miw={120}
      maw={420}
      value={[...tags]}
      onChange={change}
      maxTags={MAX_TAGS}
    />
  );
}
