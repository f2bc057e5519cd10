import { Switch } from '@mantine/core';
import { useAction } from '@/shared/forms/use-action';
import { EnableKeywordDocument, type EnableKeywordMutation } from './keywords.generated';

export interface KeywordSwitchProps {
  keyword: { id: number; name: string; isEnabled: boolean };
  isDisabled: boolean;
}

/** Enables or disables a keyword. Variables use only enabled ones. */
export function KeywordSwitch({ keyword: { id, name, isEnabled }, isDisabled }: KeywordSwitchProps) {
  const { run } = useAction(EnableKeywordDocument, { failure: 'Not changed' });
  const toggle = (next: boolean) =>
    run({ id, isEnabled: next }, {
      keywordUpdate: {
        __typename: 'KeywordUpdatePayload',
        keyword: { __typename: 'Keyword', id, isEnabled: next },
        errors: [],
      },
    } as EnableKeywordMutation);
  return (
    <Switch
      aria-label={`${name} is enabled`}
      checked={isEnabled}
      w="fit-content"
      ml="auto"
      disabled={isDisabled}
      onChange={event => void toggle(event.currentTarget.checked)}
    />
  );
}
