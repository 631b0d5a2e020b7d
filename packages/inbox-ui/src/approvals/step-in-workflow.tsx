import { Box, Text } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import { useEffect, useMemo, useState } from 'react';
import { BpmnDiagram } from '../diagram/bpmn-diagram.js';
import { texts } from '../texts/index.js';

const t = texts.approvals;
const NO_BADGES: readonly never[] = [];
/** Drawing a large model takes longer than a key may: it waits until no key was pressed for so long. */
const DRAWN_AFTER_MS = 300;

/** The workflow with the step highlighted that asks. */
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

/** Whether it has been shown for so long without a key being pressed. */
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
