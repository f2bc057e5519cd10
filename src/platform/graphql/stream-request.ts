/**
 * The `topicId` of every subscription: the request for the stream that the module provides under the name in `topics`. type-graphql
 * passes it to the `pubSub` of the schema, which opens the stream.
 */
export function streamRequest({ args, context }: { args: unknown; context: unknown }) {
  return { args, context };
}
