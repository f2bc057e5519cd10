/**
 * Compares the number of completed calls that processes counted with the ledger. Fewer rows than calls mean lost
 * charges. More rows are not reported, because a killed process has not written its last counts.
 */
export const CALL_CHECKS = [
  {
    subject: (id: string) => `chat completions of ${id} on the ledger`,
    find: `
      with counted as (
        select provider, model, sum(calls) as calls from answered_calls group by provider, model),
      written as (
        select b.usage->0->>'provider' as provider, b.usage->0->>'model' as model, count(*) as calls
          from billing_transaction b
         where b.operation = 'chat-completion'
           and b.created_at >= (select (value->>'countsSince')::timestamptz from service_setting where name = 'installation')
         group by 1, 2)
      select c.provider || '/' || c.model as id, coalesce(w.calls, 0) as "is", c.calls as should_be
        from counted c left join written w on w.provider = c.provider and w.model = c.model
       where coalesce(w.calls, 0) < c.calls order by 1`,
  },
];
