export { compensate, endTransaction, handlerEnded } from './compensate.js';
export { compensationsOf, removeCompensations } from './records.js';
