import { useQuery } from '@apollo/client/react';
import { Alert, Button, Group, Modal, Paper, Progress, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMemo } from 'react';
import { IconAlertTriangle } from '@/icons';
import { DAY_MS, HOUR_MS } from '@/shared/charts/time-range';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { QueryView } from '@/shared/layout/query-view';
import { formatUsd, Money } from '@/shared/money';
import { notifySuccess } from '@/shared/notify';
import { useProjectId } from '@/shared/project/use-project';
import { useProjectRole } from '@/shared/project/use-role';
import { CostBudgetDocument, type CostBudgetQuery, SetBudgetDocument } from './costs.generated';

type Project = NonNullable<CostBudgetQuery['project']>;
type Budget = NonNullable<Project['budget']>;

/** The days whose spending the forecast continues. */
const FORECAST_DAYS = 7;
/** A forecast further ahead gives no date. */
const MAX_FORECAST_DAYS = 10 * 365;
/** The bar of the budget changes its colour above this part. */
const WARNING_PERCENT = 80;

/** The spending limit of the project, what is left of it, and when it will be reached at the present rate. */
export function BudgetCard() {
  const projectId = useProjectId();
  const { isAdmin } = useProjectRole();
  const [isOpen, dialog] = useDisclosure(false);
  const variables = useMemo(() => {
    // Until the next full hour, so that the query stays the same for an hour.
    const to = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
    return { projectId, from: new Date(to - FORECAST_DAYS * DAY_MS).toISOString(), to: new Date(to).toISOString() };
  }, [projectId]);
  const query = useQuery(CostBudgetDocument, { variables });
  return (
    <Paper p="lg" h="100%" component="section" aria-labelledby="budget-title">
      <QueryView query={query}>
        {({ project, recent }) => (
          <Stack gap="sm">
            <Group justify="space-between" wrap="nowrap">
              <Title order={2} id="budget-title">
                Budget
              </Title>
              {isAdmin && (
                <Button size="xs" variant="default" onClick={dialog.open}>
                  {project.budget ? 'Change budget' : 'Set budget'}
                </Button>
              )}
            </Group>
            {project.budget ? (
              <BudgetBar budget={project.budget} />
            ) : (
              <Text fz="sm" c="dimmed">
                No limit. The project has spent <Money usd={project.totalSpent.usd} /> in total. With a budget, new runs
                are refused when it is spent.
              </Text>
            )}
            <Forecast perDay={Number(recent.total.usd) / FORECAST_DAYS} budget={project.budget} />
            {/* A new limit replaces the value of the form. */}
            <BudgetDialog key={project.budget?.limit.usd} isOpen={isOpen} onClose={dialog.close} project={project} />
          </Stack>
        )}
      </QueryView>
    </Paper>
  );
}

function BudgetBar({ budget: { limit, spent, reserved, remaining } }: { budget: Budget }) {
  const total = Number(limit.usd);
  const share = (usd: string) => (total === 0 ? 100 : (Number(usd) / total) * 100);
  const isReached = Number(remaining.usd) <= 0;
  const warningColor = share(spent.usd) > WARNING_PERCENT ? 'orange' : undefined;
  const color = isReached ? 'red' : warningColor;
  return (
    <>
      <Text fz={22} fw={600} className="tabular" style={{ letterSpacing: '-0.02em' }}>
        <Money usd={remaining.usd} />{' '}
        <Text span fz="sm" c="dimmed" fw={400}>
          left of <Money usd={limit.usd} />
        </Text>
      </Text>
      <Progress.Root size="md">
        <Progress.Section value={Math.min(100, share(spent.usd))} color={color} aria-label="Spent" />
        <Progress.Section value={share(reserved.usd)} color="gray" striped aria-label="Reserved" />
      </Progress.Root>
      <Text fz="xs" c="dimmed">
        <Money usd={spent.usd} /> spent
        {Number(reserved.usd) > 0 && (
          <>
            , <Money usd={reserved.usd} /> reserved for calls in progress
          </>
        )}
      </Text>
      {isReached && (
        <Alert color="red" icon={<IconAlertTriangle size={18} />} p="sm">
          The budget is spent. New runs are refused until it is raised.
        </Alert>
      )}
    </>
  );
}

/** `perDay` is in US dollars. */
function Forecast({ perDay, budget }: { perDay: number; budget: Budget | null | undefined }) {
  if (perDay === 0)
    return (
      <Text fz="sm" c="dimmed">
        Nothing was spent in the last {FORECAST_DAYS} days, so there is no forecast.
      </Text>
    );
  return (
    <Text fz="sm" c="dimmed">
      At the rate of the last {FORECAST_DAYS} days ({formatUsd(String(perDay))} a day) the project spends{' '}
      {formatUsd(String(perDay * 30))} in 30 days
      {budget ? endOfBudget(Number(budget.remaining.usd) / perDay) : '.'}
    </Text>
  );
}

/** The end of the sentence about a budget that lasts for a number of days. */
function endOfBudget(days: number): string {
  if (days <= 0) return '.';
  if (days > MAX_FORECAST_DAYS) return ', and the budget lasts for years.';
  const end = new Date(Date.now() + days * DAY_MS);
  return `, and the budget lasts until ${end.toLocaleDateString('en', { dateStyle: 'medium' })}.`;
}

function BudgetDialog({ isOpen, onClose, project }: { isOpen: boolean; onClose: () => void; project: Project }) {
  const form = useForm({ initialValues: { limitUsd: project.budget ? trimZeros(project.budget.limit.usd) : '' } });
  const { submit, isBusy, problem } = useFormMutation(SetBudgetDocument, {
    form,
    refetchQueries: ['CostBudget'],
    onDone: (_, { limitUsd }) => {
      notifySuccess(limitUsd === null ? 'The budget is removed.' : 'The budget is set.');
      onClose();
    },
  });
  return (
    <Modal opened={isOpen} onClose={onClose} title="Budget of the project">
      <form onSubmit={form.onSubmit(({ limitUsd }) => submit({ projectId: project.id, limitUsd: limitUsd.trim() }))}>
        <Stack>
          <Text fz="sm" c="dimmed">
            Counts everything that the project has ever spent: <Money usd={project.totalSpent.usd} /> so far.
          </Text>
          <TextInput
            label="Limit"
            leftSection="$"
            inputMode="decimal"
            required
            data-autofocus
            placeholder="25.00"
            {...form.getInputProps('limitUsd')}
          />
          {problem !== null && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          <Group justify="space-between" gap="xs">
            {project.budget ? (
              <Button
                variant="subtle"
                color="red"
                px="xs"
                onClick={() => void submit({ projectId: project.id, limitUsd: null })}
              >
                Remove budget
              </Button>
            ) : (
              <span />
            )}
            <Group gap="xs">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={isBusy}>
                Set budget
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

const trimZeros = (usd: string) => (usd.includes('.') ? usd.replace(/0+$/, '').replace(/\.$/, '') : usd);
