import { duration, fixed, live, type Live, modelPrices, secret } from '@countersign/core/plugin';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';

export const AnthropicConfigurationSchema = z.object({
  Models: z.object({
    Anthropic: live(
      z.object({
        // Deployment-only: changing the URL sends the key elsewhere. Only the deployer may do that, not the holder of
        // an admin token.
        BaseUrl: fixed(z.url({ protocol: /^https?$/ }).default('https://api.anthropic.com')).describe(
          'Root of the API.',
        ),
        ApiKey: secret().describe('Key of the API.'),
        // Node's fetch itself waits for at most 5 minutes.
        Timeout: duration()
          .refine((ms) => ms >= 1 && ms <= 300_000, 'Expected up to PT5M.')
          .prefault('PT2M')
          .describe(
            'How long nothing may come of an answer, up to PT5M. How long one may take in all is said by the definition of the agent.',
          ),
        MaxRetries: z
          .int()
          .min(0)
          .max(10)
          .default(2)
          .describe(
            'How often a busy or unreachable API is asked again at once, before the step is tried again as a whole.',
          ),
        MaxBytes: z
          .int()
          .min(1)
          .max(268_435_456)
          .default(16_777_216)
          .describe('Largest answer, as it comes over the wire, in bytes.'),
        Prices: modelPrices().describe(
          'What models cost, by their names, in the currency of budgets. Unless their prices are set, tokens that are read from the prompt cache cost as much as other input, and those that are written to it a quarter more. What has no price counts for no budget of money.',
        ),
        PromptCaching: z
          .boolean()
          .default(true)
          .describe(
            'Whether system prompt and tools of agents that call tools are cached by the API from turn to turn.',
          ),
        StructuredOutputs: z
          .enum(['json_schema', 'prompt'])
          .default('json_schema')
          .describe(
            'How an answer of a schema is asked for: by the API’s output format where it takes the schema, or in the prompt alone, for models that know no better.',
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
