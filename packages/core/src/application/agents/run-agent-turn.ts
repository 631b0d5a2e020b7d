import { inject, injectable } from 'inversify';
import { RetryableFailure, TerminalFailure } from '../../contributions/job-handler.js';
import {
  isModelError,
  type ModelCompletion,
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
  addUsage,
  type Json,
} from '@countersign/model';
import type { AgentTurnJob } from '../../ports/agent-runtime.js';
import { AgentDefinitions } from './agent-definitions.js';
import { DATA_BLOCK_INSTRUCTIONS } from './data-block.js';
import { waitForLateResult, withTimeLimit, TimeLimitError } from './with-time-limit.js';
import { buildModelMessages } from './model-messages.js';
import { toModelTool } from './model-tools.js';
import { ModelProviders } from './model-providers.js';
import { parseCompletion } from './parse-completion.js';
import { Redactor } from './redactor.js';
import { requireAgentName, resolveStepSettings, type StepSettings } from './step-settings.js';
import { ToolRegistry } from './tool-registry.js';
import { sanitizeString } from './sanitize-json.js';
import { buildTranscript } from './build-transcript.js';
import { isValidUsage, withCost } from './usage.js';

const MAX_MODEL_NAME_CHARACTERS = 200;
/** Maximum time that a provider may take to finish after its time limit, in ms. */
const MAX_LATE_COMPLETION_MS = 500;

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
        ? this.definitions.requireCurrent(requireAgentName(job.headers))
        : await this.definitions.findByDigest(job.state.definitionDigest);
    const step = resolveStepSettings(definition, job);
    // Unavailable tools (for example, of a stopped server) are omitted; the others are useful without them.
    const tools = step.tools.flatMap((name) => this.registry.find(name) ?? []);
    const transcript = job.state === null ? [] : buildTranscript(await job.loadHistory());
    const provider = this.providers.get(definition.model.provider);
    const reduceOpaque = (opaque: Json): Json => provider.reduceOpaque?.(opaque) ?? null;
    const request = await this.redactor.redactJsonTimeSliced(
      buildModelRequest(
        definition,
        step,
        tools,
        buildModelMessages(step.prompt, step.inputs, transcript, tools, reduceOpaque),
      ),
    );
    const turnBase = { agent: definition.name, definitionDigest: digest, provider: provider.id, budget: step.budget };
    const usages: AgentUsage[] = [];
    const recordUsage = (model: string, usage: ModelUsage): void => {
      if (isValidUsage(usage)) usages.push(withCost(usage, provider.price(step.model) ?? provider.price(model)));
    };
    try {
      const rawCompletion = await this.complete(provider, request, definition, job, (usage, model = step.model) =>
        recordUsage(model, usage),
      );
      const completion = await this.redactor.redactJsonTimeSliced(rawCompletion);
      recordUsage(completion.model, completion.usage);
      return {
        ...turnBase,
        model: sanitizeString(completion.model.slice(0, MAX_MODEL_NAME_CHARACTERS)),
        requestDigest: `sha256:${sha256Hex(canonicalJson(request))}`,
        ...(await parseCompletion(completion, { ...definition, outputSchema: step.outputSchema }, tools)),
        usage: usages.reduce(addUsage),
        taint: collectTaint(job),
      };
    } catch (error) {
      for (const usage of usages) job.reportDiscarded({ ...turnBase, model: step.model, usage });
      throw error;
    }
  }

  private async complete(
    provider: ModelProviderContribution,
    request: ModelRequest,
    { model }: AgentDefinition,
    job: AgentTurnJob,
    onDiscarded: NonNullable<ModelCall['onDiscarded']>,
  ): Promise<ModelCompletion> {
    const idempotencyKey = job.attempt === 1 ? job.jobId : `${job.jobId}-${job.attempt}`;
    let pendingCompletion: Promise<ModelCompletion> | undefined;
    try {
      return await withTimeLimit(model.timeoutMs, job.signal, (signal) => {
        pendingCompletion = provider.complete(request, { signal, idempotencyKey, onDiscarded });
        return pendingCompletion;
      });
    } catch (error) {
      if (job.signal.aborted) throw error;
      // The provider reports the usage up to the time limit only when it finishes.
      const lateCompletion =
        error instanceof TimeLimitError && pendingCompletion !== undefined
          ? await waitForLateResult(MAX_LATE_COMPLETION_MS, pendingCompletion)
          : undefined;
      if (lateCompletion !== undefined) onDiscarded(lateCompletion.usage, lateCompletion.model);
      throw await this.toFailure(error, provider.id);
    }
  }

  private async toFailure(error: unknown, provider: string): Promise<Error> {
    if (error instanceof TimeLimitError)
      return new RetryableFailure(
        'model_timeout',
        `The model provider "${provider}" did not respond within ${error.milliseconds} ms.`,
      );
    const message = await this.redactor.redactTextTimeSliced(error instanceof Error ? error.message : String(error));
    const cause = this.redactor.causeUnlessSecret(error);
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

function buildModelRequest(
  definition: AgentDefinition,
  step: StepSettings,
  tools: readonly AgentTool[],
  messages: ModelRequest['messages'],
): ModelRequest {
  const { model } = definition;
  const { system, outputSchema } = step;
  return {
    model: step.model,
    system: `${system.trimEnd()}\n\n${DATA_BLOCK_INSTRUCTIONS}`,
    messages,
    tools: tools.map(toModelTool),
    outputSchema: outputSchema as JsonObject | null,
    temperature: model.temperature,
    maxOutputTokens: model.maxOutputTokens,
  };
}

/** Returns the taint of the inputs. The request contains all inputs, including the prompt. */
function collectTaint({ inputs, taints }: AgentTurnJob): readonly string[] {
  return [
    ...new Set(Object.keys(inputs).flatMap((name) => (Object.hasOwn(taints, name) ? (taints[name] ?? []) : []))),
  ].sort();
}
