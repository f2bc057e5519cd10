import { Button, Group, Popover, SegmentedControl, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconCalendar } from '@/icons';
import { focusFirstError } from '@/shared/forms/focus-first-error';
import { useSetSearch } from '@/shared/lists/list-search';
import { DEFAULT_RANGE, RANGES, type RangeName, type RangeSearch, toRange } from './cost-range';
import type { CostSearch } from './cost-search';

const toDay = (at: Date) => at.toISOString().slice(0, 10);
const CHOICES = RANGES.map(({ value, label }) => ({ value, label }));

/** The time range of the screen: a period until now, or two days. */
export function RangePicker({ search }: { search: RangeSearch }) {
  const setSearch = useSetSearch<CostSearch>();
  const isCustom = search.from !== undefined;
  const value = isCustom ? '' : (search.range ?? DEFAULT_RANGE);
  const choose = (range: string | null) =>
    range &&
    setSearch({ range: range === DEFAULT_RANGE ? undefined : (range as RangeName), from: undefined, to: undefined });
  return (
    <Group gap="xs">
      <SegmentedControl
        visibleFrom="sm"
        size="xs"
        aria-label="Time range"
        data={CHOICES}
        value={value}
        onChange={choose}
      />
      <Select
        hiddenFrom="sm"
        size="xs"
        w={130}
        aria-label="Time range"
        data={CHOICES}
        value={value}
        placeholder="Custom"
        allowDeselect={false}
        onChange={choose}
      />
      <CustomRange search={search} />
    </Group>
  );
}

function CustomRange({ search }: { search: RangeSearch }) {
  const setSearch = useSetSearch<CostSearch>();
  const [isOpen, popover] = useDisclosure(false);
  const isCustom = search.from !== undefined;
  const form = useForm({
    initialValues: { from: '', to: '' },
    validate: { to: (to, { from }) => (to < from ? 'The last day is before the first day.' : null) },
  });
  const open = () => {
    const { from, to } = toRange(search);
    // `to` is not a part of the range, but the form names the last day that is.
    form.setValues({ from: toDay(from), to: toDay(new Date(to.getTime() - 1)) });
    popover.open();
  };
  const apply = ({ from, to }: { from: string; to: string }) => {
    setSearch({ from, to, range: undefined });
    popover.close();
  };
  return (
    <Popover
      opened={isOpen}
      onChange={opened => !opened && popover.close()}
      position="bottom-end"
      shadow="md"
      trapFocus
    >
      <Popover.Target>
        <Button
          size="xs"
          variant={isCustom ? 'light' : 'default'}
          leftSection={<IconCalendar size={15} />}
          onClick={isOpen ? popover.close : open}
        >
          {isCustom ? `${search.from} – ${search.to}` : 'Custom'}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Custom time range">
        <form onSubmit={form.onSubmit(apply, focusFirstError)}>
          <Stack gap="sm" w={220}>
            <TextInput type="date" label="First day" required withAsterisk={false} {...form.getInputProps('from')} />
            <TextInput type="date" label="Last day" required withAsterisk={false} {...form.getInputProps('to')} />
            <Button type="submit" size="xs">
              Apply
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
