import type { Step } from '@countersign/contract';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useRunAddress } from './use-run-address.js';

/**
 * Delay before the selection is written to the URL, so that a held key does not change the URL for every row that it
 * passes.
 */
const URL_UPDATE_DELAY_MS = 200;

export interface StepSelection {
  readonly element: string | undefined;
  readonly step: string | undefined;
  selectStep(stepId: string): void;
  selectElement(elementId: string | undefined): void;
}

interface SelectedIds {
  readonly element: string | undefined;
  readonly step: string | undefined;
}

/**
 * Keeps the tree and the diagram in sync: selecting a step in the tree selects its element on the diagram, and
 * selecting an element selects its last step.
 */
export function useStepSelection(steps: readonly Step[]): StepSelection {
  const [address, changeAddress] = useRunAddress();
  const [selection, setSelection] = useState<SelectedIds>(() => {
    const step = steps.find(({ stepId }) => stepId === address.step);
    return {
      element: step?.elementId ?? address.element,
      step: step?.stepId ?? findLastStepId(steps, address.element),
    };
  });
  const latestSteps = useRef(steps);
  latestSteps.current = steps;

  useEffect(() => {
    if (selection.element === address.element) return undefined;
    const timer = setTimeout(() => changeAddress({ element: selection.element }), URL_UPDATE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [selection.element, address.element, changeAddress]);

  return useMemo(
    () => ({
      ...selection,
      selectStep: (stepId) =>
        setSelection({ step: stepId, element: latestSteps.current.find((each) => each.stepId === stepId)?.elementId }),
      selectElement: (element) => setSelection({ element, step: findLastStepId(latestSteps.current, element) }),
    }),
    [selection],
  );
}

function findLastStepId(steps: readonly Step[], elementId: string | undefined): string | undefined {
  return elementId === undefined ? undefined : steps.findLast((step) => step.elementId === elementId)?.stepId;
}
