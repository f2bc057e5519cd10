import { Migration } from '@mikro-orm/migrations';

/** The initial list, which administrators can change. */
const CATEGORIES: [name: string, subcategories: string[]][] = [
  ['Content', ['Articles', 'Editing', 'Scripts', 'Social media', 'Translation']],
  ['Customer support', ['Answers', 'Feedback', 'Knowledge base', 'Triage']],
  ['Data', ['Analysis', 'Classification', 'Cleaning', 'Extraction', 'Reports']],
  ['Development', ['Code', 'Documentation', 'Operations', 'Testing']],
  ['E-commerce', ['Product descriptions', 'Reviews', 'Pricing']],
  ['Education', ['Courses', 'Exercises', 'Tutoring']],
  ['Finance', ['Accounting', 'Forecasts', 'Invoices']],
  ['Human resources', ['Interviews', 'Onboarding', 'Recruiting']],
  ['Images', ['Design', 'Illustrations', 'Product photos']],
  ['Legal', ['Compliance', 'Contracts']],
  ['Marketing', ['Advertising', 'Email', 'Landing pages', 'Market research']],
  ['Productivity', ['Email', 'Meetings', 'Planning', 'Summaries']],
  ['Research', ['Literature', 'Competitors', 'Surveys']],
  ['Sales', ['Leads', 'Outreach', 'Proposals']],
  ['SEO', ['Audits', 'Keywords', 'Links', 'Meta data']],
  ['Other', []],
];

const text = (value: string) => `'${value.replaceAll("'", "''")}'`;

export class M0010Scenarios extends Migration {
  override up(): void {
    this.addSql(
      'create table category (id serial primary key, name text not null constraint category_name_unique unique)',
    );
    this.addSql(`
      create table subcategory (
        id serial primary key,
        category_id int not null constraint subcategory_category_id_foreign references category on delete cascade,
        name text not null,
        constraint subcategory_category_id_name_unique unique (category_id, name))`);
    for (const [name, subcategories] of CATEGORIES) {
      this.addSql(`insert into category (name) values (${text(name)})`);
      if (subcategories.length > 0)
        this.addSql(`insert into subcategory (category_id, name) select c.id, s.name
          from category c, unnest(array[${subcategories.map(text).join(', ')}]) with ordinality as s (name, place)
         where c.name = ${text(name)} order by s.place`);
    }
    // Earlier workflows accepted any number.
    this.addSql('update workflow set category_id = null, subcategory_id = null');
    this.addSql(`
      alter table workflow
        add constraint workflow_category_id_foreign foreign key (category_id) references category on delete set null,
        add constraint workflow_subcategory_id_foreign foreign key (subcategory_id) references subcategory on delete set null`);
    this.addSql('create index workflow_category_id_index on workflow (category_id)');
    this.addSql('create index workflow_subcategory_id_index on workflow (subcategory_id)');

    // Rows with a scenariorun_id are copies for a run. They have no position and may repeat keys.
    this.addSql(`
      create table variable (
        id serial primary key,
        project_id int not null constraint variable_project_id_foreign references project on delete cascade,
        key text not null,
        variable_names json not null,
        last_name_id int not null,
        is_global boolean not null default false,
        keywordrun_id int null,
        keywordrun_mode text null
          constraint variable_keywordrun_mode_check check (keywordrun_mode in ('all', 'clusters', 'joined')),
        ${this.#partColumns()})`);
    this.#addPartIndexes('variable');

    // Belongs to a project or to one user.
    this.addSql(`
      create table prompt (
        id serial primary key,
        project_id int null constraint prompt_project_id_foreign references project on delete cascade,
        owner_id int null constraint prompt_owner_id_foreign references app_user on delete cascade,
        key text not null,
        role text not null
          constraint prompt_role_check check (role in ('user', 'system', 'assistant', 'positive', 'negative')),
        content text not null,
        prompt_conditions json not null,
        ${this.#partColumns()},
        constraint prompt_project_or_owner check ((project_id is null) <> (owner_id is null)))`);
    this.#addPartIndexes('prompt');
    this.addSql('create index prompt_owner_id_sort_id_index on prompt (owner_id, sort_id)');
    this.addSql(
      'create unique index prompt_owner_id_key_unique on prompt (owner_id, key) where scenariorun_id is null',
    );

    this.addSql(`
      create table message (
        id serial primary key,
        project_id int not null constraint message_project_id_foreign references project on delete cascade,
        key text not null,
        provider text not null default '',
        return_type text not null default 'text'
          constraint message_return_type_check check (return_type in ('text', 'variables', 'image')),
        parameters json not null,
        is_loop boolean not null default false,
        loop_count int not null default 1,
        loop_variable_id int null constraint message_loop_variable_id_foreign references variable on delete set null,
        is_async boolean not null default false,
        conditions json not null,
        ${this.#partColumns()})`);
    this.#addPartIndexes('message');
    this.addSql('create index message_loop_variable_id_index on message (loop_variable_id)');
    this.addSql(`
      create table message_prompt (
        message_id int not null references message on delete cascade,
        prompt_id int not null references prompt on delete cascade,
        primary key (message_id, prompt_id))`);
    this.addSql('create index message_prompt_of_prompt on message_prompt (prompt_id)');

    this.addSql(`
      create table scenario (
        id serial primary key,
        project_id int not null constraint scenario_project_id_foreign references project on delete cascade,
        name text not null,
        category_id int not null constraint scenario_category_id_foreign references category,
        subcategory_id int null constraint scenario_subcategory_id_foreign references subcategory on delete set null,
        run_fee int not null,
        free_runs_per_user int not null,
        available_languages text[] not null default '{}',
        market_title text not null default '',
        short_description text not null default '',
        market_permission text not null default 'private'
          constraint scenario_market_permission_check check (market_permission in ('private', 'market_available')),
        readme_guide text not null default '',
        ${this.#partColumns()})`);
    this.addSql('create index scenario_project_id_sort_id_index on scenario (project_id, sort_id)');
    this.addSql('create index scenario_scenariorun_id_index on scenario (scenariorun_id)');
    this.addSql('create index scenario_category_id_index on scenario (category_id)');
    this.addSql('create index scenario_subcategory_id_index on scenario (subcategory_id)');
    this.addSql(`
      create table scenario_message (
        scenario_id int not null references scenario on delete cascade,
        message_id int not null references message on delete cascade,
        primary key (scenario_id, message_id))`);
    this.addSql('create index scenario_message_of_message on scenario_message (message_id)');
  }

  #partColumns(): string {
    return `sort_id int not null,
        scenariorun_id int null,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now()`;
  }

  #addPartIndexes(table: string): void {
    this.addSql(`create index ${table}_project_id_sort_id_index on ${table} (project_id, sort_id)`);
    this.addSql(`create index ${table}_scenariorun_id_index on ${table} (scenariorun_id)`);
    this.addSql(
      `create unique index ${table}_project_id_key_unique on ${table} (project_id, key) where scenariorun_id is null`,
    );
  }
}
