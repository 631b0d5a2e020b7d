import { type AgentEvents, canonicalJson, type RunEvent } from '@countersign/model';
import type { TranscriptEntry } from '../../ports/agent-runtime.js';

type Data<Type extends keyof AgentEvents> = AgentEvents[Type]['data'];
type Edit = NonNullable<Extract<TranscriptEntry, { kind: 'result' }>['edited']>;
type Private<Type extends keyof AgentEvents> = AgentEvents[Type]['private'] | null;

/**
 * Builds the transcript of an agent step from its ordered events only, so that every server sends the same request for
 * the same history. Erased content is `null`.
 */
export function agentTranscript(events: readonly RunEvent[]): readonly TranscriptEntry[] {
  const edits = new Map<string, Edit>();
  return events.flatMap((event): TranscriptEntry[] => {
    switch (event.type) {
      case 'agent.call.requested': {
        const { callId, edited } = event.data as unknown as Data<'agent.call.requested'>;
        const privateData = event.private as unknown as Private<'agent.call.requested'>;
        const given = privateData?.arguments ?? null;
        const before = edits.get(callId);
        // If the policy or the tool changed, the same arguments are requested again without the comment.
        const isSame = before !== undefined && canonicalJson(before.arguments) === canonicalJson(given);
        if (edited)
          edits.set(callId, { arguments: given, comment: privateData?.comment ?? (isSame ? before.comment : null) });
        return [];
      }
      case 'agent.turn':
        return [turn(event.data as unknown as Data<'agent.turn'>, event.private as unknown as Private<'agent.turn'>)];
      case 'agent.call.completed': {
        const { callId, tool, isError } = event.data as unknown as Data<'agent.call.completed'>;
        const privateData = event.private as unknown as Private<'agent.call.completed'>;
        return [
          {
            kind: 'result',
            callId,
            toolCallId: privateData?.toolCallId ?? callId,
            content: privateData?.content ?? null,
            isError,
            source: tool,
            ...editOf(callId),
          },
        ];
      }
      case 'agent.call.refused': {
        const { callId, tool } = event.data as unknown as Data<'agent.call.refused'>;
        const privateData = event.private as unknown as Private<'agent.call.refused'>;
        return [
          {
            kind: 'result',
            callId,
            toolCallId: privateData?.toolCallId ?? callId,
            content: privateData?.content ?? null,
            isError: true,
            source: `refusal of ${tool}`,
            ...editOf(callId),
          },
        ];
      }
      case 'agent.repair':
        return [{ kind: 'repair', problems: (event.private as unknown as Private<'agent.repair'>)?.problems ?? [] }];
      default:
        return [];
    }
  });

  function editOf(callId: string): { readonly edited?: Edit } {
    const edited = edits.get(callId);
    return edited === undefined ? {} : { edited };
  }
}

function turn(data: Data<'agent.turn'>, privateData: Private<'agent.turn'>): TranscriptEntry {
  const erased = data.calls.map(({ callId, tool }) => ({ callId, toolCallId: callId, tool, arguments: {} }));
  return {
    kind: 'turn',
    text: privateData?.text ?? null,
    calls: privateData?.calls ?? erased,
    opaque: privateData?.opaque ?? null,
  };
}
