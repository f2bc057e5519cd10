import { Switch } from '@mantine/core';
import { useAction } from '@/shared/action';
import { EnableKeywordDocument, type EnableKeywordMutation } from './keywords.generated';

export interface KeywordSwitchProps {
  keyword: { id: number; name: string; isEnabled: boolean };
  isDisabled: boolean;
}

/** Whether variables use the keyword. */
export function KeywordSwitch({ keyword: { id, name, isEnabled }, isDisabled }: KeywordSwitchProps) {
  const { act } = useAction();
  const toggle = (next: boolean) =>
    act(
      EnableKeywordDocument,
      { id, isEnabled: next },
      {
        failure: 'Not changed',
        optimisticResponse: {
          keywordUpdate: {
            __typename: 'KeywordUpdatePayload',
            keyword: { __typename: 'Keyword', id, isEnabled: next },
            errors: [],
          },
        } as EnableKeywordMutation,
      },
    );
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
