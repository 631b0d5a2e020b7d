import { isModelError, type ModelRequest } from '@countersign/core/plugin';
import type { OpenAiSettings } from './configuration.js';

/** How structured output is requested; `none`: text, because the agent has no output schema. */
export type OutputMode = Exclude<OpenAiSettings['StructuredOutputs'], 'auto'> | 'none';

/**
 * Resolves `StructuredOutputs: auto` for a request. With tools: the prompt, because some APIs refuse a response format
 * together with tools (Groq, Gemini 2), and others accept it but then silently make no calls (Ollama, vLLM). Without
 * tools: `json_schema`, until the API refuses it for the language model.
 */
export class OutputModes {
  private readonly modelsWithoutFormat = new Set<string>();

  selectMode({ model, tools, outputSchema }: ModelRequest, { StructuredOutputs }: OpenAiSettings): OutputMode {
    if (outputSchema === null) return 'none';
    if (StructuredOutputs !== 'auto') return StructuredOutputs;
    return tools.length > 0 || this.modelsWithoutFormat.has(model) ? 'prompt' : 'json_schema';
  }

  /**
   * Records that the API refuses a response format for a language model, if the error states that.
   *
   * @param mode mode of the request that failed
   * @returns whether the request now has another mode
   */
  recordRefusal(error: unknown, request: ModelRequest, settings: OpenAiSettings, mode: OutputMode): boolean {
    if (settings.StructuredOutputs !== 'auto' || mode !== 'json_schema') return false;
    if (!isModelError(error) || error.code !== 'model_request_refused') return false;
    if (!/response_?format|json_?schema|structured.?output|json mode/i.test(error.message)) return false;
    this.modelsWithoutFormat.add(request.model);
    return true;
  }
}
