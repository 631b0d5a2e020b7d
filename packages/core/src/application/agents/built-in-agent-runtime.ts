import { inject, injectable } from 'inversify';
import { type AgentCall, type AgentTurn, ApiError, type JsonObject, type ProposedCall } from '@countersign/model';
import type { LifecycleContribution } from '../../contributions/lifecycle.js';
import { HostStartError } from '../../errors/host-start-error.js';
import type { AgentCallJob, AgentRuntimePort, AgentTurnJob, CallOutcome } from '../../ports/agent-runtime.js';
import { badInput } from '../refuse.js';
import { MakeCall } from './make-call.js';
import { proposeCall } from './propose-call.js';
import { Redactor } from './redactor.js';
import { StartAgents } from './start-agents.js';
import { TakeTurn } from './take-turn.js';
import { ToolRegistry } from './tool-registry.js';

/** The agent runtime that comes with Countersign: definitions in files, models and tools of plugins. */
@injectable()
export class BuiltInAgentRuntime implements AgentRuntimePort, LifecycleContribution {
  readonly name = 'agents';

  constructor(
    @inject(StartAgents) private readonly agents: StartAgents,
    @inject(TakeTurn) private readonly turns: TakeTurn,
    @inject(MakeCall) private readonly calls: MakeCall,
    @inject(ToolRegistry) private readonly registry: ToolRegistry,
    @inject(Redactor) private readonly redactor: Redactor,
  ) {}

  /** Reads the definitions of agents, once all that they name has started. @throws {HostStartError} with everything that is wrong */
  async start(): Promise<void> {
    const problems = await this.agents.execute();
    if (problems.length > 0) throw new HostStartError(problems);
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }

  takeTurn(job: AgentTurnJob): Promise<AgentTurn> {
    return this.turns.execute(job);
  }

  makeCall(job: AgentCallJob): Promise<CallOutcome> {
    return this.calls.execute(job);
  }

  async propose(call: AgentCall, edited: JsonObject): Promise<ProposedCall> {
    const tool = this.registry.find(call.tool);
    if (tool === undefined)
      throw new ApiError(
        'validation_failed',
        `There is no tool "${call.tool}" at the moment, so its arguments can't be checked.`,
      );
    const proposed = proposeCall(tool, call.toolCallId, await this.redactor.jsonInTurns(edited));
    if (proposed.problem === null) return proposed;
    throw badInput('validation_failed', proposed.problem.message, [
      { pointer: '/arguments', code: proposed.problem.code, message: proposed.problem.message },
    ]);
  }
}
