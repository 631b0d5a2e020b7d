import { duration, deploymentOnly, reloadable, type Live, createPricesSchema, secret } from '@countersign/core/plugin';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';

export const AnthropicConfigurationSchema = z.object({
  Models: z.object({
    Anthropic: reloadable(
      z.object({
        // Deployment-only: changing the URL sends the key elsewhere. Only the deployer may do that, not the holder of
        // an admin token.
        BaseUrl: deploymentOnly(z.url({ protocol: /^https?$/ }).default('https://api.anthropic.com')).describe(
          'Root of the API.',
        ),
        ApiKey: secret().describe('API key.'),
        // Node's fetch itself waits for at most 5 minutes.
        Timeout: duration()
          .refine((ms) => ms >= 1 && ms <= 300_000, 'Expected a duration of at most PT5M.')
          .prefault('PT2M')
          .describe(
            'Maximum time during a request in which the API sends nothing, up to PT5M. The agent definition sets the time limit of the whole response.',
          ),
        MaxRetries: z
          .int()
          .min(0)
          .max(10)
          .default(2)
          .describe(
            'Maximum number of times that a request to a busy or unreachable API is repeated, before the whole step is retried.',
          ),
        MaxBytes: z
          .int()
          .min(1)
          .max(268_435_456)
          .default(16_777_216)
          .describe('Largest response, as sent over the network, in bytes.'),
        Prices: createPricesSchema().describe(
          'Prices of language models, by name, in the currency of budgets. If no other price is set, tokens read from the prompt cache cost as much as other input, and tokens written to it cost 25% more. A money budget requires a price for the language model.',
        ),
        PromptCaching: z
          .boolean()
          .default(true)
          .describe(
            'Whether the API caches the system prompt and the tools from turn to turn, for agents that call tools.',
          ),
        StructuredOutputs: z
          .enum(['json_schema', 'prompt'])
          .default('json_schema')
          .describe(
            'How output with a schema is requested: with the output format of the API if it accepts the schema, or only in the prompt, for language models without that format.',
          ),
      }),
    ),
  }),
});

export type AnthropicConfiguration = z.infer<typeof AnthropicConfigurationSchema>;

export type AnthropicSettings = AnthropicConfiguration['Models']['Anthropic'];

export const LiveAnthropicConfiguration: ServiceIdentifier<Live<AnthropicConfiguration>> = Symbol.for(
  '@countersign/model-anthropic:LiveConfiguration',
);
