import type { JsonObject } from '@countersign/core/plugin';
import { expect } from 'chai';
import { mergeReportedUsage } from './reported-usage.js';

describe('mergeReportedUsage', () => {
  /** For each server: a chunk that it sends, and the expected input and output tokens. */
  const USAGE_CASES: Readonly<
    Record<string, readonly [chunk: JsonObject, input: number | undefined, output: number | undefined]>
  > = {
    'usage of OpenAI, whose completion includes thoughts': [
      {
        usage: {
          prompt_tokens: 10,
          completion_tokens: 130,
          total_tokens: 140,
          completion_tokens_details: { reasoning_tokens: 100 },
        },
      },
      10,
      130,
    ],
    'usage of Gemini, where only the total includes thoughts': [
      { usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 112 } },
      10,
      102,
    ],
    'usage of xAI, where the total includes thoughts but the completion does not': [
      {
        usage: {
          prompt_tokens: 10,
          completion_tokens: 20,
          total_tokens: 45,
          completion_tokens_details: { reasoning_tokens: 15 },
        },
      },
      10,
      35,
    ],
    'more thoughts than completion tokens, without a total': [
      { usage: { prompt_tokens: 10, completion_tokens: 2, completion_tokens_details: { reasoning_tokens: 100 } } },
      10,
      102,
    ],
    'top-level thoughts without a completion': [{ usage: { prompt_tokens: 10, reasoning_tokens: 100 } }, 10, 100],
    'a total that is less than the sum of its parts': [
      { usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 5 } },
      10,
      20,
    ],
    'usage of Groq': [{ x_groq: { usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 } } }, 10, 20],
    'usage of Moonshot': [{ choices: [{ index: 0, usage: { prompt_tokens: 10, completion_tokens: 20 } }] }, 10, 20],
    'property names of other APIs': [{ usage: { input_tokens: 10, output_tokens: 20 } }, 10, 20],
    'usage of Anthropic through a gateway, whose input excludes cached tokens': [
      {
        usage: {
          input_tokens: 10,
          output_tokens: 5,
          cache_read_input_tokens: 50_000,
          cache_creation_input_tokens: 2_000,
        },
      },
      52_010,
      5,
    ],
    'usage of Portkey, where only the total includes cached tokens': [
      { usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 50_015, cache_read_input_tokens: 50_000 } },
      50_010,
      5,
    ],
    'a total without cached tokens': [
      { usage: { prompt_tokens: 10, total_tokens: 15, cache_read_input_tokens: 50_000 } },
      50_010,
      0,
    ],
    'usage of LiteLLM, whose prompt includes cached tokens': [
      { usage: { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105, cache_read_input_tokens: 90 } },
      100,
      5,
    ],
    'only the prompt': [{ usage: { prompt_tokens: 10 } }, 10, undefined],
    'only the prompt and the total': [{ usage: { prompt_tokens: 10, total_tokens: 30 } }, 10, 20],
    'a missing prompt as the rest of the total': [{ usage: { completion_tokens: 2, total_tokens: 500 } }, 498, 2],
    'a prompt of 0 tokens': [{ usage: { prompt_tokens: 0, completion_tokens: 2, total_tokens: 500 } }, 498, 2],
    'usage of 0 tokens': [{ usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } }, 0, 0],
    'missing usage': [{ usage: null }, undefined, undefined],
    'invalid token counts as missing': [
      { usage: { prompt_tokens: '10', completion_tokens: -1, total_tokens: 1.5 } },
      undefined,
      undefined,
    ],
  };
  for (const [description, [chunk, inputTokens, outputTokens]] of Object.entries(USAGE_CASES)) {
    it(`should read ${description}`, () => {
      const usage = mergeReportedUsage(chunk, {});

      expect([usage.inputTokens, usage.outputTokens]).to.deep.equal([inputTokens, outputTokens]);
    });
  }

  it('should read only the total if input and output tokens are not reported', () => {
    const usage = mergeReportedUsage({ usage: { total_tokens: 30 } }, {});

    expect(usage).to.include({ inputTokens: undefined, outputTokens: undefined, totalTokens: 30 });
    expect(mergeReportedUsage({ usage: { total_tokens: 20 } }, usage)).to.include({ totalTokens: 30 });
  });

  for (const [server, usage] of Object.entries({
    'OpenAI, OpenRouter, Gemini, vLLM': { prompt_tokens: 10, prompt_tokens_details: { cached_tokens: 8 } },
    'DeepSeek': { prompt_tokens: 10, prompt_cache_hit_tokens: 8, prompt_cache_miss_tokens: 2 },
    'Moonshot': { prompt_tokens: 10, cached_tokens: 8 },
    'LiteLLM': { prompt_tokens: 10, cache_read_input_tokens: 8, cache_creation_input_tokens: 1 },
  })) {
    it(`should read cached tokens: ${server}`, () => {
      expect(mergeReportedUsage({ usage }, {})).to.include({ inputTokens: 10, cacheReadTokens: 8 });
    });
  }

  for (const name of ['cache_write_tokens', 'cache_creation_tokens']) {
    it(`should read tokens written to the cache: ${name}`, () => {
      const usage = { prompt_tokens: 100, prompt_tokens_details: { cached_tokens: 0, [name]: 80 } };

      expect(mergeReportedUsage({ usage }, {})).to.include({ inputTokens: 100, cacheWriteTokens: 80 });
    });
  }

  it('should use the largest values in a stream, because its parts report cumulative usage', () => {
    const parts = [
      { usage: { prompt_tokens: 10, completion_tokens: 1 } },
      { usage: { prompt_tokens: 10, completion_tokens: 20 } },
      { usage: { prompt_tokens: 0, completion_tokens: 0 } },
      { usage: null },
    ];

    const usage = parts.reduce((previous, part) => mergeReportedUsage(part, previous), {});

    expect(usage).to.deep.include({ inputTokens: 10, outputTokens: 20 });
  });
});
