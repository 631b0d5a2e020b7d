export { compensate, endTransaction, onHandlerEnded } from './compensate.js';
export { collectCompensations, removeCompensations } from './compensation-queue.js';
