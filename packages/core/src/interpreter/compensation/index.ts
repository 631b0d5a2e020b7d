export { compensate, endTransaction, handlerEnded } from './compensate.js';
export { compensationsOf, putBackUndone, takeCompensations } from './records.js';
