import { Migration } from '@mikro-orm/migrations';

/** Triggers with a conversation, and the messages of their visitors. */
export class M0066ChatTriggers extends Migration {
  override up(): void {
    this.addSql('alter table workflow_trigger drop constraint workflow_trigger_kind_check');
    this.addSql(`
      alter table workflow_trigger add constraint workflow_trigger_kind_check
        check (kind in ('schedule', 'webhook', 'event', 'failure', 'form', 'chat'))`);
    this.addSql(`
      create table trigger_conversation (
        id uuid primary key,
        trigger_id int not null
          constraint trigger_conversation_trigger_id_fkey references workflow_trigger on delete cascade,
        message_count int not null default 0,
        byte_count int not null default 0,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now())`);
    this.addSql('create index trigger_conversation_of_trigger on trigger_conversation (trigger_id)');
    this.addSql('create index trigger_conversation_by_age on trigger_conversation (updated_at)');
    // The id of a message is also that of its run.
    this.addSql(`
      create table conversation_message (
        id uuid primary key,
        conversation_id uuid not null
          constraint conversation_message_conversation_id_fkey references trigger_conversation on delete cascade,
        position int not null,
        text text not null,
        answer text null,
        state text not null default 'pending'
          constraint conversation_message_state_check check (state in ('pending', 'answered', 'failed')),
        created_at timestamptz(3) not null default now())`);
    this.addSql(
      'create unique index conversation_message_position on conversation_message (conversation_id, position)',
    );
  }
}
