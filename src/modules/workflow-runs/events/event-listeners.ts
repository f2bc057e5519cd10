/** A sent event, as listeners receive it. */
export interface DeliveredEvent {
  id: string;
  projectId: number;
  name: string;
  /** Empty: none. */
  correlationKey: string;
  payload: unknown;
  /** The workflows that led to the event, oldest first. Empty when no run sent it. */
  ancestry: readonly number[];
}

/** Work that other modules do when an event is sent. A repeated call has no second effect. */
export type EventListener = (event: DeliveredEvent) => Promise<void>;
