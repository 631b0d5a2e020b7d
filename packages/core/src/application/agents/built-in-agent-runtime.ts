import { inject, injectable } from 'inversify';
import { CountersignError } from '../../errors/countersign-error.js';
import type { AgentCall, AgentTurn, ProposedCall } from '../../domain/agent.js';
import type { JsonObject } from '../../domain/json.js';
import type { AgentCallJob, AgentRuntimePort, AgentTurnJob, CallOutcome } from '../../ports/agent-runtime.js';
import { badInput } from '../refuse.js';
import { MakeCall } from './make-call.js';
import { proposeCall } from './propose-call.js';
import { Redactor } from './redactor.js';
import { TakeTurn } from './take-turn.js';
import { ToolRegistry } from './tool-registry.js';

/** The agent runtime that comes with Countersign: definitions in files, models and tools of plugins. */
@injectable()
export class BuiltInAgentRuntime implements AgentRuntimePort {
  constructor(
    @inject(TakeTurn) private readonly turns: TakeTurn,
    @inject(MakeCall) private readonly calls: MakeCall,
    @inject(ToolRegistry) private readonly registry: ToolRegistry,
    @inject(Redactor) private readonly redactor: Redactor,
  ) {}

  takeTurn(job: AgentTurnJob): Promise<AgentTurn> {
    return this.turns.execute(job);
  }

  makeCall(job: AgentCallJob): Promise<CallOutcome> {
    return this.calls.execute(job);
  }

  propose(call: AgentCall, edited: JsonObject): ProposedCall {
    const tool = this.registry.find(call.tool);
    if (tool === undefined)
      throw new CountersignError(
        'validation_failed',
        `There is no tool "${call.tool}" at the moment, so its arguments can't be checked.`,
      );
    const proposed = proposeCall(tool, call.toolCallId, this.redactor.json(edited));
    if (proposed.problem === null) return proposed;
    throw badInput('validation_failed', proposed.problem.message, [
      { pointer: '/arguments', code: proposed.problem.code, message: proposed.problem.message },
    ]);
  }
}
