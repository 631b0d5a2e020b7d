import { BaseModel } from './base-model.js';

export class TimerModel extends BaseModel {
  static override tableName = 'timers';
  static override idColumn = 'timer_id';

  declare timerId: string;
  declare runId: string;
  declare dueAt: number;
}
