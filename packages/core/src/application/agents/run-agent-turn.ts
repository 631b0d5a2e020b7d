import { inject, injectable } from 'inversify';
import { RetryableFailure, TerminalFailure } from '../../contributions/job-handler.js';
import {
  isModelError,
  type ModelAnswer,
  type ModelCall,
  type ModelProviderContribution,
  type ModelRequest,
  type ModelUsage,
} from '../../contributions/model-provider.js';
import type { AgentTool } from '../../contributions/tool-source.js';
import {
  type AgentDefinition,
  type AgentTurn,
  type AgentUsage,
  canonicalJson,
  type JsonObject,
  sha256Hex,
  sumOfUsage,
  type Json,
} from '@countersign/model';
import type { AgentTurnJob } from '../../ports/agent-runtime.js';
import { AgentDefinitions } from './agent-definitions.js';
import { HOW_DATA_IS_MARKED } from './data-block.js';
import { afterwards, withTimeLimit, TimeLimitError } from './with-time-limit.js';
import { modelMessages } from './model-messages.js';
import { toolForModel } from './model-tools.js';
import { ModelProviders } from './model-providers.js';
import { readAnswer } from './read-answer.js';
import { Redactor } from './redactor.js';
import { agentName, stepSettings, type StepSettings } from './step-settings.js';
import { ToolRegistry } from './tool-registry.js';
import { sanitizeString } from './sanitize-json.js';
import { agentTranscript } from './transcript.js';
import { isUsage, pricedUsage } from './usage.js';

const MAX_MODEL_NAME = 200;
/** Maximum time that a provider may take to finish after its time limit, in ms. */
const LONGEST_END_MS = 500;

/** Requests one agent turn from the language model. */
@injectable()
export class RunAgentTurn {
  constructor(
    @inject(AgentDefinitions) private readonly definitions: AgentDefinitions,
    @inject(ModelProviders) private readonly providers: ModelProviders,
    @inject(ToolRegistry) private readonly registry: ToolRegistry,
    @inject(Redactor) private readonly redactor: Redactor,
  ) {}

  async execute(job: AgentTurnJob): Promise<AgentTurn> {
    const { definition, digest } =
      job.state === null
        ? this.definitions.newest(agentName(job.headers))
        : await this.definitions.begunOn(job.state.definitionDigest);
    const step = stepSettings(definition, job);
    // Unavailable tools (for example, of a stopped server) are omitted; the others are useful without them.
    const tools = step.tools.flatMap((name) => this.registry.find(name) ?? []);
    const transcript = job.state === null ? [] : agentTranscript(await job.history());
    const provider = this.providers.get(definition.model.provider);
    const reduced = (opaque: Json): Json => provider.reduced?.(opaque) ?? null;
    const request = await this.redactor.jsonInTurns(
      requestOf(definition, step, tools, modelMessages(step.prompt, step.inputs, transcript, tools, reduced)),
    );
    const begun = { agent: definition.name, definitionDigest: digest, provider: provider.id, budget: step.budget };
    const used: AgentUsage[] = [];
    const use = (model: string, usage: ModelUsage): void => {
      if (isUsage(usage)) used.push(pricedUsage(usage, provider.price(step.model) ?? provider.price(model)));
    };
    try {
      const given = await this.ask(provider, request, definition, job, (usage, model = step.model) =>
        use(model, usage),
      );
      const answer = await this.redactor.jsonInTurns(given);
      use(answer.model, answer.usage);
      return {
        ...begun,
        model: sanitizeString(answer.model.slice(0, MAX_MODEL_NAME)),
        requestDigest: `sha256:${sha256Hex(canonicalJson(request))}`,
        ...(await readAnswer(answer, { ...definition, outputSchema: step.outputSchema }, tools)),
        usage: used.reduce(sumOfUsage),
        taint: shownTaint(job),
      };
    } catch (error) {
      for (const usage of used) job.discarded({ ...begun, model: step.model, usage });
      throw error;
    }
  }

  private async ask(
    provider: ModelProviderContribution,
    request: ModelRequest,
    { model }: AgentDefinition,
    job: AgentTurnJob,
    discarded: NonNullable<ModelCall['discarded']>,
  ): Promise<ModelAnswer> {
    const idempotencyKey = job.attempt === 1 ? job.jobId : `${job.jobId}-${job.attempt}`;
    let asked: Promise<ModelAnswer> | undefined;
    try {
      return await withTimeLimit(model.timeoutMs, job.signal, (signal) => {
        asked = provider.ask(request, { signal, idempotencyKey, discarded });
        return asked;
      });
    } catch (error) {
      if (job.signal.aborted) throw error;
      // The provider reports the usage up to the time limit only when it finishes.
      const late =
        error instanceof TimeLimitError && asked !== undefined ? await afterwards(LONGEST_END_MS, asked) : undefined;
      if (late !== undefined) discarded(late.usage, late.model);
      throw await this.failureOf(error, provider.id);
    }
  }

  private async failureOf(error: unknown, provider: string): Promise<Error> {
    if (error instanceof TimeLimitError)
      return new RetryableFailure(
        'model_timeout',
        `The model provider "${provider}" did not respond within ${error.milliseconds} ms.`,
      );
    const message = await this.redactor.textInTurns(error instanceof Error ? error.message : String(error));
    const cause = this.redactor.cause(error);
    if (!isModelError(error))
      return new RetryableFailure(
        'model_unavailable',
        `The model provider "${provider}" failed: ${message}`,
        undefined,
        cause,
      );
    const { code, retryable, retryAfterMs } = error;
    return retryable
      ? new RetryableFailure(code, message, retryAfterMs, cause)
      : new TerminalFailure(code, message, cause);
  }
}

function requestOf(
  definition: AgentDefinition,
  step: StepSettings,
  tools: readonly AgentTool[],
  messages: ModelRequest['messages'],
): ModelRequest {
  const { model } = definition;
  const { system, outputSchema } = step;
  return {
    model: step.model,
    system: `${system.trimEnd()}\n\n${HOW_DATA_IS_MARKED}`,
    messages,
    tools: tools.map(toolForModel),
    outputSchema: outputSchema as JsonObject | null,
    temperature: model.temperature,
    maxOutputTokens: model.maxOutputTokens,
  };
}

/** Returns the taint of the inputs. The request contains all of them, the prompt included. */
function shownTaint({ inputs, taints }: AgentTurnJob): readonly string[] {
  return [
    ...new Set(Object.keys(inputs).flatMap((name) => (Object.hasOwn(taints, name) ? (taints[name] ?? []) : []))),
  ].sort();
}
