import type { JsonObject } from '@countersign/core/plugin';
import { expect } from 'chai';
import { reportedUsage } from './reported-usage.js';

describe('reportedUsage', () => {
  /** Of each server, what it sends, and the tokens of input and output that are meant. */
  const SHAPES: Readonly<
    Record<string, readonly [chunk: JsonObject, input: number | undefined, output: number | undefined]>
  > = {
    'OpenAI: thoughts are among the completion': [
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
    'Gemini: thoughts are in the total alone': [
      { usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 112 } },
      10,
      102,
    ],
    'xAI: thoughts are beside the completion, and in the total': [
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
    'more thoughts than completion, and no total': [
      { usage: { prompt_tokens: 10, completion_tokens: 2, completion_tokens_details: { reasoning_tokens: 100 } } },
      10,
      102,
    ],
    'thoughts at the top, and no completion': [{ usage: { prompt_tokens: 10, reasoning_tokens: 100 } }, 10, 100],
    'a total that is less than its parts': [
      { usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 5 } },
      10,
      20,
    ],
    'Groq': [{ x_groq: { usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 } } }, 10, 20],
    'Moonshot': [{ choices: [{ index: 0, usage: { prompt_tokens: 10, completion_tokens: 20 } }] }, 10, 20],
    'names of other APIs': [{ usage: { input_tokens: 10, output_tokens: 20 } }, 10, 20],
    'Anthropic behind a gateway: what was cached is beside the input': [
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
    'Portkey: what was cached is in the total alone': [
      { usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 50_015, cache_read_input_tokens: 50_000 } },
      50_010,
      5,
    ],
    'a total without what was cached': [
      { usage: { prompt_tokens: 10, total_tokens: 15, cache_read_input_tokens: 50_000 } },
      50_010,
      0,
    ],
    'LiteLLM: what was cached is among the prompt': [
      { usage: { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105, cache_read_input_tokens: 90 } },
      100,
      5,
    ],
    'only the prompt': [{ usage: { prompt_tokens: 10 } }, 10, undefined],
    'only the prompt and the total': [{ usage: { prompt_tokens: 10, total_tokens: 30 } }, 10, 20],
    'no prompt: it is the rest of the total': [{ usage: { completion_tokens: 2, total_tokens: 500 } }, 498, 2],
    'nought of the prompt': [{ usage: { prompt_tokens: 0, completion_tokens: 2, total_tokens: 500 } }, 498, 2],
    'nought of everything': [{ usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } }, 0, 0],
    'nothing': [{ usage: null }, undefined, undefined],
    'what is no number of tokens': [
      { usage: { prompt_tokens: '10', completion_tokens: -1, total_tokens: 1.5 } },
      undefined,
      undefined,
    ],
  };
  for (const [shape, [chunk, inputTokens, outputTokens]] of Object.entries(SHAPES)) {
    it(`should read ${shape}`, () => {
      const usage = reportedUsage(chunk, {});

      expect([usage.inputTokens, usage.outputTokens]).to.deep.equal([inputTokens, outputTokens]);
    });
  }

  it('should read only the total if input and output tokens are not reported', () => {
    const usage = reportedUsage({ usage: { total_tokens: 30 } }, {});

    expect(usage).to.include({ inputTokens: undefined, outputTokens: undefined, totalTokens: 30 });
    expect(reportedUsage({ usage: { total_tokens: 20 } }, usage)).to.include({ totalTokens: 30 });
  });

  for (const [server, usage] of Object.entries({
    'OpenAI, OpenRouter, Gemini, vLLM': { prompt_tokens: 10, prompt_tokens_details: { cached_tokens: 8 } },
    'DeepSeek': { prompt_tokens: 10, prompt_cache_hit_tokens: 8, prompt_cache_miss_tokens: 2 },
    'Moonshot': { prompt_tokens: 10, cached_tokens: 8 },
    'LiteLLM': { prompt_tokens: 10, cache_read_input_tokens: 8, cache_creation_input_tokens: 1 },
  })) {
    it(`should read cached tokens: ${server}`, () => {
      expect(reportedUsage({ usage }, {})).to.include({ inputTokens: 10, cacheReadTokens: 8 });
    });
  }

  for (const name of ['cache_write_tokens', 'cache_creation_tokens']) {
    it(`should read tokens written to the cache: ${name}`, () => {
      const usage = { prompt_tokens: 100, prompt_tokens_details: { cached_tokens: 0, [name]: 80 } };

      expect(reportedUsage({ usage }, {})).to.include({ inputTokens: 100, cacheWriteTokens: 80 });
    });
  }

  it('should use the largest values in a stream, because its parts report cumulative usage', () => {
    const parts = [
      { usage: { prompt_tokens: 10, completion_tokens: 1 } },
      { usage: { prompt_tokens: 10, completion_tokens: 20 } },
      { usage: { prompt_tokens: 0, completion_tokens: 0 } },
      { usage: null },
    ];

    const usage = parts.reduce((before, part) => reportedUsage(part, before), {});

    expect(usage).to.deep.include({ inputTokens: 10, outputTokens: 20 });
  });
});
