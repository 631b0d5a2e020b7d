import { inject, injectable } from 'inversify';
import {
  type AgentCall,
  readAgentName,
  type AgentTurn,
  ApiError,
  type JsonObject,
  type ProposedCall,
} from '@countersign/model';
import type { LifecycleContribution } from '../../contributions/lifecycle.js';
import { HostStartError } from '../../errors/host-start-error.js';
import type { AgentCallJob, AgentRuntimePort, AgentTurnJob, CallOutcome } from '../../ports/agent-runtime.js';
import type { ModelProviderContribution } from '../../contributions/model-provider.js';
import { inputError } from '../errors.js';
import { AgentDefinitions } from './agent-definitions.js';
import { ExecuteCall } from './execute-call.js';
import { ModelProviders } from './model-providers.js';
import { proposeCall } from './propose-call.js';
import { Redactor } from './redactor.js';
import { StartAgents } from './start-agents.js';
import { RunAgentTurn } from './run-agent-turn.js';
import { ToolRegistry } from './tool-registry.js';

/** Built-in agent runtime: reads definitions from files and uses language models and tools of plugins. */
@injectable()
export class BuiltInAgentRuntime implements AgentRuntimePort, LifecycleContribution {
  readonly name = 'agents';

  constructor(
    @inject(StartAgents) private readonly agents: StartAgents,
    @inject(RunAgentTurn) private readonly turns: RunAgentTurn,
    @inject(ExecuteCall) private readonly calls: ExecuteCall,
    @inject(ToolRegistry) private readonly registry: ToolRegistry,
    @inject(Redactor) private readonly redactor: Redactor,
    @inject(AgentDefinitions) private readonly definitions: AgentDefinitions,
    @inject(ModelProviders) private readonly providers: ModelProviders,
  ) {}

  /**
   * Reads the agent definitions after everything that they refer to has started.
   *
   * @throws {HostStartError} with all problems
   */
  async start(): Promise<void> {
    const problems = await this.agents.execute();
    if (problems.length > 0) throw new HostStartError(problems);
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }

  hosts({ headers, state }: Pick<AgentTurnJob, 'headers' | 'state'>): readonly string[] {
    return this.findProviders(headers, state).flatMap((provider) => provider.hosts?.() ?? []);
  }

  /**
   * Returns the providers that a step may use. Returns all providers if the step started before providers were recorded
   * and its definition is no longer available.
   */
  private findProviders(
    headers: AgentTurnJob['headers'],
    state: AgentTurnJob['state'],
  ): readonly ModelProviderContribution[] {
    const name = readAgentName(headers);
    const agent = this.definitions
      .list()
      .find(({ definition, digest }) =>
        state === null ? definition.name === name : digest === state.definitionDigest,
      );
    const id = state?.provider ?? agent?.definition.model.provider;
    // A step without a known agent uses no provider.
    if (id === undefined) return state === null ? [] : this.providers.list();
    return this.providers.list().filter((provider) => provider.id === id);
  }

  runTurn(job: AgentTurnJob): Promise<AgentTurn> {
    return this.turns.execute(job);
  }

  executeCall(job: AgentCallJob): Promise<CallOutcome> {
    return this.calls.execute(job);
  }

  async proposeCall(call: AgentCall, editedArguments: JsonObject): Promise<ProposedCall> {
    const tool = this.registry.find(call.tool);
    if (tool === undefined)
      throw new ApiError(
        'validation_failed',
        `There is no tool "${call.tool}" at the moment, so its arguments cannot be checked.`,
      );
    const proposed = proposeCall(tool, call.toolCallId, await this.redactor.redactJsonTimeSliced(editedArguments));
    if (proposed.problem === null) return proposed;
    throw inputError('validation_failed', proposed.problem.message, [
      { pointer: '/arguments', code: proposed.problem.code, message: proposed.problem.message },
    ]);
  }
}
