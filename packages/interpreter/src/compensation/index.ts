export { compensate, endTransaction, handlerEnded } from './compensate.js';
export { compensationsOf, takeCompensations } from './records.js';
