import { expect } from 'chai';
import { isModelError } from '../model-provider.js';
import { requireStopKind, type StopKind } from './stop-reason.js';

/** Stop reasons as sent by providers of the Chat Completions API, the Messages API and other APIs. */
const REASONS_BY_KIND: Readonly<Record<StopKind, readonly string[]>> = {
  complete: [
    ...['stop', 'tool_calls', 'function_call', 'end_turn', 'stop_sequence', 'tool_use', 'eos', 'eos_token'],
    ...['STOP', 'Stop', 'COMPLETE', 'stop-sequence', ' stop '],
    ...['FINISH_REASON_STOP', 'toolUse', 'endTurn', 'toolCalls'],
  ],
  length: [
    ...['length', 'max_tokens', 'MAX_TOKENS', 'max_output_tokens', 'model_length', 'model_context_window_exceeded'],
    ...['FINISH_REASON_MAX_TOKENS', 'maxTokens'],
  ],
  refusal: [
    ...['content_filter', 'content-filter', 'refusal', 'guardrail_intervened', 'sensitive'],
    ...['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'IMAGE_SAFETY'],
    ...['FINISH_REASON_SAFETY', 'contentFilter'],
  ],
};

describe('requireStopKind()', () => {
  for (const [kind, reasons] of Object.entries(REASONS_BY_KIND)) {
    it(`should recognise the stop reasons of the kind ${kind}`, () => {
      for (const reason of reasons) expect(requireStopKind(reason), reason).to.equal(kind);
    });
  }

  it('should throw a retryable error that names the reason for any other stop reason', () => {
    for (const [reason, code] of [
      ...['error', 'abort', 'cancelled', 'network_error', 'insufficient_system_resource'].map(
        (each) => [each, 'model_unavailable'] as const,
      ),
      ...[
        'MALFORMED_FUNCTION_CALL',
        'OTHER',
        'LANGUAGE',
        'FINISH_REASON_UNSPECIFIED',
        'FINISH_REASON_',
        'load',
        'pause_turn',
        '',
        '\0',
        '__proto__',
      ].map((each) => [each, 'model_answer_malformed'] as const),
      ['x'.repeat(5_000), 'model_answer_malformed'],
    ] as const) {
      let thrown: unknown;
      try {
        requireStopKind(reason);
      } catch (error) {
        thrown = error;
      }
      if (!isModelError(thrown)) throw new Error(`Expected an error for the stop reason "${reason}".`);
      expect(thrown).to.include({ code, retryable: true });
      expect(thrown.message).to.contain(reason.slice(0, 100).replace('\0', '')).and.not.to.contain('\0');
      expect(thrown.message.length).to.be.lessThan(200);
    }
  });
});
