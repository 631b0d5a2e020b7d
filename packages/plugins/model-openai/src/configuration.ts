import {
  duration,
  deploymentOnly,
  keyedBy,
  reloadable,
  type Live,
  createPricesSchema,
  secret,
} from '@countersign/core/plugin';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';

/** Ids of providers in other plugins, and of the provider `openai` of this plugin. */
const RESERVED_IDS: readonly string[] = ['openai', 'anthropic', 'scripted'];

// Deployment-only: changing the URL sends the key elsewhere. Only the deployer may do that, not the holder of an admin
// token.
const baseUrl = () => z.url({ protocol: /^https?$/ });

const commonSettings = {
  ApiKey: reloadable(secret()).describe('API key. Empty: no key is sent.'),
  // Node's fetch itself waits for at most 5 minutes.
  Timeout: reloadable(
    duration()
      .refine((ms) => ms >= 1 && ms <= 300_000, 'Expected a duration of at most PT5M.')
      .prefault('PT2M'),
  ).describe(
    'Maximum time during a request in which the API sends nothing, up to PT5M. The agent definition sets the time limit of the whole response.',
  ),
  MaxRetries: reloadable(z.int().min(0).max(10).default(2)).describe(
    'Maximum number of times that a request to a busy or unreachable API is repeated, before the whole step is retried.',
  ),
  MaxBytes: reloadable(z.int().min(1).max(268_435_456).default(16_777_216)).describe(
    'Largest response, as sent over the network, in bytes.',
  ),
  Prices: reloadable(createPricesSchema()).describe(
    'Prices of language models, by name, in the currency of budgets. Cached tokens cost as much as other input unless their price is set. A money budget requires a price for the language model.',
  ),
  IncludeUsage: reloadable(z.boolean().default(true)).describe(
    'Whether to request token usage (stream_options), which some servers refuse. Without it, tokens are estimated.',
  ),
};

const maxTokensParameter = (parameter: 'max_tokens' | 'max_completion_tokens') =>
  reloadable(z.enum(['max_completion_tokens', 'max_tokens']).default(parameter)).describe(
    'Name of the parameter that limits the response. Older servers accept only "max_tokens".',
  );

const structuredOutputs = (mode: 'auto' | 'json_schema') =>
  reloadable(z.enum(['auto', 'json_schema', 'json_object', 'prompt']).default(mode)).describe(
    'How output with a schema is requested. "json_schema": with a format of the API. "json_object": with a format of the API and the schema in the prompt. "prompt": only in the prompt. "auto": for agents with tools, only in the prompt, because some APIs refuse tools together with a format and some language models then stop calling tools; otherwise with a format, unless the API refuses it.',
  );

const CompatibleSchema = z.strictObject({
  Id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'Expected lower-case letters, digits and "-".')
    .refine(
      (id) => !RESERVED_IDS.includes(id),
      `This Id is reserved: choose one other than ${RESERVED_IDS.join(', ')}.`,
    )
    .describe('Name of the provider in agent definitions.'),
  BaseUrl: deploymentOnly(baseUrl()).describe('Root of the API, such as http://127.0.0.1:11434/v1 for Ollama.'),
  ...commonSettings,
  StructuredOutputs: structuredOutputs('auto'),
  MaxTokensParameter: maxTokensParameter('max_tokens'),
});

export const OpenAiConfigurationSchema = z.object({
  Models: z.object({
    OpenAI: z.object({
      BaseUrl: deploymentOnly(baseUrl().default('https://api.openai.com/v1')).describe('Root of the API.'),
      ...commonSettings,
      StructuredOutputs: structuredOutputs('json_schema'),
      MaxTokensParameter: maxTokensParameter('max_completion_tokens'),
    }),
    OpenAICompatible: keyedBy('Id', z.array(CompatibleSchema).default([])).describe(
      'Other servers with the same API (Ollama, vLLM, llama.cpp, LM Studio, gateways), each a separate model provider.',
    ),
  }),
});

export type OpenAiConfiguration = z.infer<typeof OpenAiConfigurationSchema>;

export type OpenAiSettings = OpenAiConfiguration['Models']['OpenAI'];

export const LiveOpenAiConfiguration: ServiceIdentifier<Live<OpenAiConfiguration>> = Symbol.for(
  '@countersign/model-openai:LiveConfiguration',
);
