import { type AgentEvents, canonicalJson, type RunEvent } from '@countersign/model';
import type { TranscriptEntry } from '../../ports/agent-runtime.js';

type EventData<Type extends keyof AgentEvents> = AgentEvents[Type]['data'];
type Edit = NonNullable<Extract<TranscriptEntry, { kind: 'result' }>['edited']>;
type EventPrivateData<Type extends keyof AgentEvents> = AgentEvents[Type]['private'] | null;

/**
 * Builds the transcript of an agent step from its ordered events only, so that every server sends the same request for
 * the same history. Erased content is `null`.
 */
export function buildTranscript(events: readonly RunEvent[]): readonly TranscriptEntry[] {
  const edits = new Map<string, Edit>();
  return events.flatMap((event): TranscriptEntry[] => {
    switch (event.type) {
      case 'agent.call.requested': {
        const { callId, edited } = event.data as unknown as EventData<'agent.call.requested'>;
        const privateData = event.private as unknown as EventPrivateData<'agent.call.requested'>;
        const editedArguments = privateData?.arguments ?? null;
        const previousEdit = edits.get(callId);
        // If the policy or the tool changed, the same arguments are requested again without the comment.
        const hasSameArguments =
          previousEdit !== undefined && canonicalJson(previousEdit.arguments) === canonicalJson(editedArguments);
        if (edited)
          edits.set(callId, {
            arguments: editedArguments,
            comment: privateData?.comment ?? (hasSameArguments ? previousEdit.comment : null),
          });
        return [];
      }
      case 'agent.turn':
        return [
          toTurnEntry(
            event.data as unknown as EventData<'agent.turn'>,
            event.private as unknown as EventPrivateData<'agent.turn'>,
          ),
        ];
      case 'agent.call.completed': {
        const { callId, tool, isError } = event.data as unknown as EventData<'agent.call.completed'>;
        const privateData = event.private as unknown as EventPrivateData<'agent.call.completed'>;
        return [
          {
            kind: 'result',
            callId,
            toolCallId: privateData?.toolCallId ?? callId,
            content: privateData?.content ?? null,
            isError,
            source: tool,
            ...findEdit(callId),
          },
        ];
      }
      case 'agent.call.refused': {
        const { callId, tool } = event.data as unknown as EventData<'agent.call.refused'>;
        const privateData = event.private as unknown as EventPrivateData<'agent.call.refused'>;
        return [
          {
            kind: 'result',
            callId,
            toolCallId: privateData?.toolCallId ?? callId,
            content: privateData?.content ?? null,
            isError: true,
            source: `refusal of ${tool}`,
            ...findEdit(callId),
          },
        ];
      }
      case 'agent.repair':
        return [
          { kind: 'repair', problems: (event.private as unknown as EventPrivateData<'agent.repair'>)?.problems ?? [] },
        ];
      default:
        return [];
    }
  });

  function findEdit(callId: string): { readonly edited?: Edit } {
    const edited = edits.get(callId);
    return edited === undefined ? {} : { edited };
  }
}

function toTurnEntry(data: EventData<'agent.turn'>, privateData: EventPrivateData<'agent.turn'>): TranscriptEntry {
  const callsWithoutArguments = data.calls.map(({ callId, tool }) => ({
    callId,
    toolCallId: callId,
    tool,
    arguments: {},
  }));
  return {
    kind: 'turn',
    text: privateData?.text ?? null,
    calls: privateData?.calls ?? callsWithoutArguments,
    opaque: privateData?.opaque ?? null,
  };
}
