export * from './current-time.js';
export * from './is-process-alive.js';
export * from './empty-erasure.js';
export * from './seconds.js';
export * from './count-event-loop-turns.js';
export * from './wait-until.js';
