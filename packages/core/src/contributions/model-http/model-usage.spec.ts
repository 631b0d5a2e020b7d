import { expect } from 'chai';
import type { ModelRequest } from '../model-provider.js';
import { toModelUsage } from './model-usage.js';

describe('toModelUsage', () => {
  const request: ModelRequest = {
    model: 'm',
    system: 'x'.repeat(396),
    messages: [],
    tools: [],
    outputSchema: null,
    temperature: null,
    maxOutputTokens: 100,
  };

  it('should return the usage that the provider reports', () => {
    const reported = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 70, cacheWriteTokens: 20 };

    expect(toModelUsage(reported, request, ['text'])).to.deep.equal(reported);
  });

  it('should return an estimate, marked as estimated, when the provider reports nothing', () => {
    expect(toModelUsage({}, request, ['12345678', 12])).to.deep.equal({
      inputTokens: 100,
      outputTokens: 5,
      estimated: true,
    });
  });

  for (const [description, reported, inputTokens, outputTokens] of [
    ['the output', { inputTokens: 90 }, 90, 5],
    ['the input', { outputTokens: 7 }, 100, 7],
    ['input and output that are both 0', { inputTokens: 0, outputTokens: 0 }, 100, 5],
    ['input and output, with the output raised to fit the total', { totalTokens: 500 }, 100, 400],
    ['input and output that exceed the total', { totalTokens: 50 }, 100, 5],
    ['input and output when the total is not a number', { totalTokens: Number.NaN }, 100, 5],
    ['values that are not valid numbers', { inputTokens: Number.NaN, outputTokens: -1 }, 100, 5],
  ] as const) {
    it(`should estimate usage that is not reported: ${description}`, () => {
      expect(toModelUsage(reported, request, ['12345678', 12])).to.deep.equal({
        inputTokens,
        outputTokens,
        estimated: true,
      });
    });
  }

  it('should prefer reported input and output tokens to a reported total', () => {
    const reported = { inputTokens: 90, outputTokens: 7 };

    expect(toModelUsage({ ...reported, totalTokens: 500 }, request, ['12345678'])).to.deep.equal(reported);
  });

  it('should accept a report of zero output tokens when the response is empty', () => {
    expect(toModelUsage({ inputTokens: 90, outputTokens: 0 }, request, [''])).to.deep.equal({
      inputTokens: 90,
      outputTokens: 0,
    });
  });

  it('should count all cached tokens as input tokens', () => {
    const reported = { inputTokens: 10, outputTokens: 1, cacheReadTokens: 800, cacheWriteTokens: 80 };

    expect(toModelUsage(reported, request, ['text'])).to.deep.equal({ ...reported, inputTokens: 880 });
  });

  it('should estimate the output tokens when the reported number is far too low for the response', () => {
    expect(toModelUsage({ inputTokens: 100, outputTokens: 1 }, request, [40_000])).to.deep.equal({
      inputTokens: 100,
      outputTokens: 10_000,
      estimated: true,
    });
  });
});
