import type { RunEvent } from '@countersign/model';

/** Status of an agent step, derived from its events. The step is waiting if every open call needs a user. */
export class AgentStepStatus {
  /** Ids of calls that a worker executes. */
  private readonly made = new Set<string>();
  /** Ids of calls and questions that wait for a user. */
  private readonly asked = new Set<string>();

  get status(): 'active' | 'waiting' {
    return this.made.size === 0 && this.asked.size > 0 ? 'waiting' : 'active';
  }

  copy(): AgentStepStatus {
    const copy = new AgentStepStatus();
    for (const id of this.made) copy.made.add(id);
    for (const id of this.asked) copy.asked.add(id);
    return copy;
  }

  fold({ type, data }: Pick<RunEvent, 'type' | 'data'>): void {
    const { callId, questionId, needs } = data;
    switch (type) {
      case 'agent.turn':
        this.clear();
        break;
      case 'agent.call.requested':
        this.move(callId, needs === 'approval' || needs === 'answer' ? this.asked : undefined);
        break;
      case 'agent.call.dispatched':
        this.move(callId, this.made);
        break;
      case 'agent.call.completed':
      case 'agent.call.refused':
      case 'agent.call.lost':
        this.move(callId, undefined);
        break;
      case 'question.asked':
        this.move(questionId, this.asked);
        break;
      case 'question.answered':
      case 'question.expired':
      case 'question.withdrawn':
        this.move(questionId, undefined);
        break;
    }
  }

  private move(id: unknown, to: Set<string> | undefined): void {
    if (typeof id !== 'string') return;
    this.made.delete(id);
    this.asked.delete(id);
    to?.add(id);
  }

  private clear(): void {
    this.made.clear();
    this.asked.clear();
  }
}
