import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { JSONValue } from '../../platform/json/scalars.js';
import type { ListPayloads } from '../../platform/lists/list-payloads.js';
import type { RequestContext } from '../accounts/request-context.js';
import { TriggerChat } from './chat/chat-trigger.type.js';
import { TriggerEvent, TriggerFailure } from './events/event-trigger.type.js';
import { TriggerForm } from './form/form-trigger.type.js';
import { type ListedTrigger, settingsByKind, type TriggerPayload } from './stored-trigger.js';
import { TriggerSchedule, TriggerWebhook, WorkflowTrigger } from './workflow-trigger.type.js';

const OTHERWISE = 'Null for other kinds, and if `isShortened` is true.';

/** The input and the settings of triggers, within the size limit of a page. */
@Resolver(() => WorkflowTrigger)
export class TriggerSettingsResolver {
  constructor(private readonly payloads: ListPayloads<TriggerPayload>) {}

  @FieldResolver(() => Boolean, {
    description:
      'Whether a list omitted the input and the settings because the preceding items filled the size limit of the page. Query the trigger by id to get them.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() trigger: WorkflowTrigger) {
    return !(await this.payloads.isWhole(context, trigger));
  }

  @FieldResolver(() => JSONValue, {
    description:
      'Fixed input of every run by field id; values of a call replace them. JSON, because fields differ. `{}` if `isShortened` is true.',
  })
  async input(@Ctx() context: RequestContext, @Root() trigger: WorkflowTrigger) {
    return (await this.payloads.of(context, trigger))?.input ?? {};
  }

  @FieldResolver(() => TriggerSchedule, { nullable: true, description: `Settings of a schedule. ${OTHERWISE}` })
  async schedule(@Ctx() context: RequestContext, @Root() trigger: WorkflowTrigger) {
    return (await this.#settingsOf(context, trigger))?.schedule;
  }

  @FieldResolver(() => TriggerWebhook, { nullable: true, description: `Settings of a webhook. ${OTHERWISE}` })
  async webhook(@Ctx() context: RequestContext, @Root() trigger: WorkflowTrigger) {
    return (await this.#settingsOf(context, trigger))?.webhook;
  }

  @FieldResolver(() => TriggerEvent, { nullable: true, description: `Settings of an event trigger. ${OTHERWISE}` })
  async event(@Ctx() context: RequestContext, @Root() trigger: WorkflowTrigger) {
    return (await this.#settingsOf(context, trigger))?.event;
  }

  @FieldResolver(() => TriggerFailure, { nullable: true, description: `Settings of a failure trigger. ${OTHERWISE}` })
  async failure(@Ctx() context: RequestContext, @Root() trigger: WorkflowTrigger) {
    return (await this.#settingsOf(context, trigger))?.failure;
  }

  @FieldResolver(() => TriggerForm, { nullable: true, description: `Settings of a form. ${OTHERWISE}` })
  async form(@Ctx() context: RequestContext, @Root() trigger: WorkflowTrigger) {
    return (await this.#settingsOf(context, trigger))?.form;
  }

  @FieldResolver(() => TriggerChat, { nullable: true, description: `Settings of a chat. ${OTHERWISE}` })
  async chat(@Ctx() context: RequestContext, @Root() trigger: WorkflowTrigger) {
    return (await this.#settingsOf(context, trigger))?.chat;
  }

  /** Null for a shortened trigger. A trigger that is not in a list has its settings. */
  async #settingsOf(context: RequestContext, trigger: WorkflowTrigger | ListedTrigger) {
    if (!('payloadBytes' in trigger)) return trigger;
    const payload = await this.payloads.of(context, trigger);
    return payload && settingsByKind(trigger.kind, payload.settings);
  }
}
