const LOCK = 'select id from api_key where id::text = any($1) order by id for no key update';

/** A total of API keys, and the rows behind it. */
function check(column: string, table: string) {
  const sums = `(select api_key_id, sum(amount_usd) as amount from ${table} where api_key_id is not null group by api_key_id)`;
  return {
    subject: (id: string) => `${column} of API key ${id}`,
    find: `
      select k.id, k.${column} as "is", coalesce(b.amount, 0) as should_be
        from api_key k left join ${sums} b on b.api_key_id = k.id
       where k.${column} <> coalesce(b.amount, 0) order by k.id`,
    fix: {
      lock: LOCK,
      write: `
        update api_key k set ${column} = coalesce(b.amount, 0)
          from api_key o left join ${sums} b on b.api_key_id = o.id
         where o.id = k.id and k.id::text = any($1)`,
    },
  };
}

/** Proves what API keys have spent and hold reserved. */
export const KEY_CHECKS = [check('spent_usd', 'billing_transaction'), check('reserved_usd', 'key_budget_reservation')];
