import { z } from 'zod';
import type { NodeError } from '../../../engine/workflow/run/run-event.js';
import { Faults, isUnstorableJson, MAX_JSON_DEPTH } from '../../../platform/errors/fields.js';
import { normalize } from '../../../platform/money/money.js';
import { MAX_INTEGER } from '../../../platform/sql/max-integer.js';
import { ExecutionStatus, type ExecutionUpdateInput } from './execution-update.type.js';

const MAX_TRANSACTIONS = 10_000;

const nodeError = z.looseObject({ code: z.string().max(100).default('failed'), message: z.string().default('') });

const entries = z.record(
  z.string(),
  z.looseObject({
    status: z.enum(ExecutionStatus),
    result: z.looseObject({ content: z.string() }).nullish(),
    error: nodeError.nullish(),
  }),
);

const amount = z
  .union([z.string().regex(/^\d{1,12}(\.\d{1,20})?$/), z.number().min(0).max(1e12)])
  .transform(value => normalize(String(value)));

const transactions = z
  .array(
    z.looseObject({
      node_id: z.string().max(400).nullish(),
      operation: z.string().min(1).max(100),
      status: z.enum(['Success', 'Error']).default('Success'),
      amount: z.looseObject({ USD: amount }).nullish(),
      reason: z.string().max(2_000).nullish(),
      description: z.string().max(2_000).nullish(),
    }),
  )
  .max(MAX_TRANSACTIONS);

export type UpdateEntries = z.output<typeof entries>;
export type UpdateTransactions = z.output<typeof transactions>;

/** A validated update of an external execution service. */
export interface ParsedUpdate {
  status: `${ExecutionStatus}`;
  sequence: number;
  entries: UpdateEntries;
  transactions: UpdateTransactions;
  output: unknown;
  error: NodeError | null;
  startedAt: Date | null;
  finishedAt: Date | null;
}

/** Validates an update. Throws one error that lists all invalid members. */
export function parseUpdate(input: ExecutionUpdateInput): ParsedUpdate {
  const faults = new Faults();
  const parse = <S extends z.ZodType>(
    schema: S,
    field: keyof ExecutionUpdateInput,
    empty: z.output<S>,
  ): z.output<S> => {
    const value = input[field];
    if (value === undefined || value === null) return empty;
    if (isUnstorableJson(value))
      faults.add(
        field,
        `Must not contain null characters or lone surrogates, and must be nested at most ${MAX_JSON_DEPTH} levels deep.`,
      );
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    faults.add(
      field,
      `Invalid value at ${issue?.path.map(String).join('.') || 'the top level'}: ${issue?.message ?? 'wrong type'}.`,
    );
    return empty;
  };
  faults.integer('sequence', input.sequence, { min: 0, max: MAX_INTEGER });
  const update = {
    status: input.status,
    sequence: input.sequence,
    entries: parse(entries, 'data', {}),
    transactions: parse(transactions, 'transactions', []),
    output: parse(z.unknown(), 'output', null) ?? null,
    error: parse(nodeError.nullable(), 'error', null),
    startedAt: input.startedAt ?? null,
    finishedAt: input.finishedAt ?? null,
  };
  faults.throwIfAny();
  return update;
}
