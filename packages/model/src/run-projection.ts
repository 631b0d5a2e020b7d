import type { RiskLevel } from './policy.js';
import type { RunError, RunStatus } from './run-state.js';

/** A wait of a run, as displayed. Times are in milliseconds since the epoch. */
export interface WaitingFor {
  readonly kind: 'approval' | 'question' | 'event' | 'timer';
  readonly stepId: string;
  readonly elementId: string;
  readonly name: string | null;
  readonly since: number;
  readonly approvalId?: string;
  readonly questionId?: string;
  readonly messageName?: string;
  readonly correlationKey?: string;
  readonly signalName?: string;
  readonly childRunId?: string;
  readonly dueAt?: number;
}

/** The parts of a run's state that lists and details display. */
export interface RunProjection {
  readonly status: RunStatus;
  /** Whether the run was cancelled and is compensating completed activities. */
  readonly cancelling: boolean;
  readonly currentStep: string | null;
  readonly pendingApprovals: number;
  readonly pendingQuestions: number;
  readonly incidents: number;
  readonly waitingFor: readonly WaitingFor[];
  readonly riskLevel: RiskLevel;
  readonly error: RunError | null;
}
