/** Maximum time for which a message can be buffered for later subscriptions, in ms: ten years. */
export const MAX_BUFFER_MS = 10 * 366 * 86_400_000;

/**
 * Time for which a message thrown by a run is buffered, in ms. In Zeebe, a job worker publishes such messages, and one
 * hour is the default of its client.
 */
export const THROWN_MESSAGE_BUFFER_MS = 3_600_000;
