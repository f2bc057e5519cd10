/** Checks a counter of a table that equals a sum over rows with the same id. */
function check(table: string, noun: string, [column, rows, id, amount]: readonly [string, string, string, string]) {
  const sums = `(select ${id} as id, sum(${amount}) as amount from ${rows} where ${id} is not null group by ${id})`;
  return {
    subject: (which: string) => `${column} of ${noun} ${which}`,
    find: `
      select k.id, k.${column} as "is", coalesce(b.amount, 0) as should_be
        from ${table} k left join ${sums} b on b.id = k.id
       where k.${column} <> coalesce(b.amount, 0) order by k.id`,
    fix: {
      lock: `select id from ${table} where id::text = any($1) order by id for no key update`,
      write: `
        update ${table} k set ${column} = coalesce(b.amount, 0)
          from ${table} o left join ${sums} b on b.id = o.id
         where o.id = k.id and k.id::text = any($1)`,
    },
  };
}

/** Checks the spent and reserved amounts of API keys, and of users and projects with provider keys of the service. */
export const SPENDING_CHECKS = [
  check('api_key', 'API key', ['spent_usd', 'billing_transaction', 'api_key_id', 'amount_usd']),
  check('api_key', 'API key', ['reserved_usd', 'key_budget_reservation', 'api_key_id', 'amount_usd']),
  check('project', 'project', ['service_spent_usd', 'billing_transaction', 'project_id', 'service_usd']),
  check('project', 'project', ['service_reserved_usd', 'budget_reservation', 'project_id', 'project_service_usd']),
  check('app_user', 'user', ['service_spent_usd', 'billing_transaction', 'user_id', 'service_usd']),
  check('app_user', 'user', ['service_reserved_usd', 'budget_reservation', 'user_id', 'user_service_usd']),
];
