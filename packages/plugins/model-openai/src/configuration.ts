import { duration, fixed, keyedBy, live, type Live, modelPrices, secret } from '@countersign/core/plugin';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';

/** Names of providers in other plugins, and of the first provider of this plugin. */
const TAKEN: readonly string[] = ['openai', 'anthropic', 'scripted'];

// Deployment-only: changing the URL sends the key elsewhere. Only the deployer may do that, not the holder of an admin
// token.
const baseUrl = () => z.url({ protocol: /^https?$/ });

const common = {
  ApiKey: live(secret()).describe('Key of the API. Empty: none is sent.'),
  // Node's fetch itself waits for at most 5 minutes.
  Timeout: live(
    duration()
      .refine((ms) => ms >= 1 && ms <= 300_000, 'Expected up to PT5M.')
      .prefault('PT2M'),
  ).describe(
    'How long nothing may come of an answer, up to PT5M. How long one may take in all is said by the definition of the agent.',
  ),
  MaxRetries: live(z.int().min(0).max(10).default(2)).describe(
    'How often a busy or unreachable API is asked again at once, before the step is tried again as a whole.',
  ),
  MaxBytes: live(z.int().min(1).max(268_435_456).default(16_777_216)).describe(
    'Largest answer, as it comes over the wire, in bytes.',
  ),
  Prices: live(modelPrices()).describe(
    'What models cost, by their names, in the currency of budgets. Tokens of a cache cost as much as other input unless their price is set. What has no price counts for no budget of money.',
  ),
  IncludeUsage: live(z.boolean().default(true)).describe(
    'Whether usage is asked for (stream_options), which some servers refuse. Without it, tokens are estimated.',
  ),
};

const limit = (parameter: 'max_tokens' | 'max_completion_tokens') =>
  live(z.enum(['max_completion_tokens', 'max_tokens']).default(parameter)).describe(
    'What the parameter is called that limits the answer: older servers know "max_tokens" alone.',
  );

const structuredOutputs = (mode: 'auto' | 'json_schema') =>
  live(z.enum(['auto', 'json_schema', 'json_object', 'prompt']).default(mode)).describe(
    'How an answer of a schema is asked for: "json_schema" by a format of the API, "json_object" by one and the schema in the prompt, "prompt" by the prompt alone. "auto": by the prompt beside tools, which some APIs refuse and some models stop calling otherwise, and else by a format, unless the API refuses it.',
  );

const CompatibleSchema = z.strictObject({
  Id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'Expected small letters, digits and "-".')
    .refine((id) => !TAKEN.includes(id), `Another provider is called so: choose any but ${TAKEN.join(', ')}.`)
    .describe('How definitions of agents name the provider.'),
  BaseUrl: fixed(baseUrl()).describe('Root of the API, such as http://127.0.0.1:11434/v1 of Ollama.'),
  ...common,
  StructuredOutputs: structuredOutputs('auto'),
  MaxTokensParameter: limit('max_tokens'),
});

export const OpenAiConfigurationSchema = z.object({
  Models: z.object({
    OpenAI: z.object({
      BaseUrl: fixed(baseUrl().default('https://api.openai.com/v1')).describe('Root of the API.'),
      ...common,
      StructuredOutputs: structuredOutputs('json_schema'),
      MaxTokensParameter: limit('max_completion_tokens'),
    }),
    OpenAICompatible: keyedBy('Id', z.array(CompatibleSchema).default([])).describe(
      'Other servers of the same API (Ollama, vLLM, llama.cpp, LM Studio, gateways), each a model provider of its own.',
    ),
  }),
});

export type OpenAiConfiguration = z.infer<typeof OpenAiConfigurationSchema>;

export type OpenAiSettings = OpenAiConfiguration['Models']['OpenAI'];

export const LiveOpenAiConfiguration: ServiceIdentifier<Live<OpenAiConfiguration>> = Symbol.for(
  '@countersign/model-openai:LiveConfiguration',
);
