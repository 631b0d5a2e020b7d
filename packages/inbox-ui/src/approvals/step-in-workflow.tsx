import { Box, Text } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import { useEffect, useMemo, useState } from 'react';
import { BpmnDiagram } from '../diagram/bpmn-diagram.js';
import { texts } from '../texts/index.js';

const t = texts.approvals;
const NO_BADGES: readonly never[] = [];
/** Drawing a large BPMN model blocks keys for too long, so drawing waits until no key was pressed for this time. */
const DRAWN_AFTER_MS = 300;

/** The workflow diagram with the approval's step highlighted. */
export function StepInWorkflow({
  approval: { elementId },
  bpmnXml,
}: {
  readonly approval: Approval;
  readonly bpmnXml: string;
}) {
  const [failed, setFailed] = useState<string>();
  const rested = useRested(DRAWN_AFTER_MS);
  const marks = useMemo(() => new Map([[elementId, 'cs-waiting']]), [elementId]);
  if (failed === bpmnXml) {
    return (
      <Text size="sm" c="dimmed">
        {t.diagramFailed}
      </Text>
    );
  }
  return (
    <Box h={190}>
      {rested && (
        <BpmnDiagram
          xml={bpmnXml}
          label={t.diagram(elementId)}
          marks={marks}
          badges={NO_BADGES}
          onFailed={() => setFailed(bpmnXml)}
        />
      )}
    </Box>
  );
}

/** Returns whether the component has been displayed for this time without a key press. */
function useRested(ms: number): boolean {
  const [rested, setRested] = useState(false);
  useEffect(() => {
    if (rested) return undefined;
    const rest = (): ReturnType<typeof setTimeout> => setTimeout(() => setRested(true), ms);
    let timer = rest();
    const again = (): void => {
      clearTimeout(timer);
      timer = rest();
    };
    window.addEventListener('keydown', again, { capture: true });
    return () => {
      window.removeEventListener('keydown', again, { capture: true });
      clearTimeout(timer);
    };
  }, [rested, ms]);
  return rested;
}
