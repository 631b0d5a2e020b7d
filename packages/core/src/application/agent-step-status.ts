import type { RunEvent } from '@countersign/model';

/** Status of an agent step, derived from its events. The step is waiting if every open call needs a user. */
export class AgentStepStatus {
  /** Ids of calls that a worker executes. */
  private readonly runningCallIds = new Set<string>();
  /** Ids of calls and questions that wait for a user. */
  private readonly waitingIds = new Set<string>();

  get status(): 'active' | 'waiting' {
    return this.runningCallIds.size === 0 && this.waitingIds.size > 0 ? 'waiting' : 'active';
  }

  copy(): AgentStepStatus {
    const copy = new AgentStepStatus();
    for (const id of this.runningCallIds) copy.runningCallIds.add(id);
    for (const id of this.waitingIds) copy.waitingIds.add(id);
    return copy;
  }

  apply({ type, data }: Pick<RunEvent, 'type' | 'data'>): void {
    const { callId, questionId, needs } = data;
    switch (type) {
      case 'agent.turn':
        this.clear();
        break;
      case 'agent.call.requested':
        this.moveTo(callId, needs === 'approval' || needs === 'answer' ? this.waitingIds : undefined);
        break;
      case 'agent.call.dispatched':
        this.moveTo(callId, this.runningCallIds);
        break;
      case 'agent.call.completed':
      case 'agent.call.refused':
      case 'agent.call.lost':
        this.moveTo(callId, undefined);
        break;
      case 'question.asked':
        this.moveTo(questionId, this.waitingIds);
        break;
      case 'question.answered':
      case 'question.expired':
      case 'question.withdrawn':
        this.moveTo(questionId, undefined);
        break;
    }
  }

  private moveTo(id: unknown, targetSet: Set<string> | undefined): void {
    if (typeof id !== 'string') return;
    this.runningCallIds.delete(id);
    this.waitingIds.delete(id);
    targetSet?.add(id);
  }

  private clear(): void {
    this.runningCallIds.clear();
    this.waitingIds.clear();
  }
}
