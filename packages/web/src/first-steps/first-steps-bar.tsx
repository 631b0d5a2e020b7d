import { isNotFound } from '@countersign/inbox-ui/api/query-client';
import { Button, CloseButton, Group, Paper, Text } from '@mantine/core';
import type { RunDetail } from '@countersign/contract';
import { useEffect, useRef, type RefObject } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { useRun } from '../run/use-run.js';
import { texts } from '../texts/index.js';
import { FIRST_STEP_COUNT, FIRST_STEP_NUMBERS, type FirstStep } from './find-first-step.js';
import { closeFirstSteps, resetFirstSteps } from './first-steps-store.js';
import { OtherPersonButton } from './other-person-button.js';
import { useFirstStep } from './use-first-step.js';

const t = texts.firstSteps;

/** Bar above the page that guides through the run of an example, step by step. */
export function FirstStepsBar({ runId }: { readonly runId: string }) {
  const run = useRun(runId);
  // The tab belongs to another server or another set of data.
  const isUnknown = isNotFound(run.error);
  useEffect(() => {
    if (isUnknown) resetFirstSteps();
  }, [isUnknown]);
  return run.data === undefined ? null : <LoadedBar run={run.data} />;
}

function LoadedBar({ run }: { readonly run: RunDetail }) {
  const { step, votedApprovalId } = useFirstStep(run);
  useGoToEvidence(run.runId, step, votedApprovalId);
  const section = useRef<HTMLElement>(null);
  useKeptFocus(section, step.kind);
  return (
    <Paper
      withBorder
      component="section"
      ref={section}
      tabIndex={-1}
      aria-label={t.title}
      className="cs-first-steps cs-first-steps-bar"
      px="md"
      py="xs"
    >
      <Text size="sm" role="status">
        <Text span inherit fw={600}>
          {t.step(FIRST_STEP_NUMBERS[step.kind], FIRST_STEP_COUNT)}
        </Text>{' '}
        {describeStep(step, run)}
      </Text>
      <Group gap="xs" wrap="nowrap" maw="100%">
        <StepButton step={step} run={run} />
        <CloseButton size="sm" aria-label={t.close} onClick={closeFirstSteps} />
      </Group>
    </Paper>
  );
}

function describeStep(step: FirstStep, { outcome }: RunDetail): string {
  if (step.kind === 'ended') return t.ended[outcome ?? 'completed'];
  if (step.kind !== 'otherPerson') return t.texts[step.kind];
  const { reasons } = step.approval.canDecide;
  if (reasons.includes('already_voted')) return t.otherPerson.alreadyVoted;
  return reasons.includes('self_approval') ? t.otherPerson.selfApproval : t.otherPerson.notAllowed;
}

/** The step that was displayed last, also by the session of another user. */
let lastStepKind: FirstStep['kind'] | undefined;

/** Focuses the bar if the step has changed and what had the focus is gone with the last page or user. */
function useKeptFocus(section: RefObject<HTMLElement | null>, kind: FirstStep['kind']): void {
  useEffect(() => {
    const hasChanged = lastStepKind !== undefined && lastStepKind !== kind;
    lastStepKind = kind;
    if (hasChanged && document.activeElement === document.body) section.current?.focus();
  }, [section, kind]);
}

function StepButton({ step, run: { runId } }: { readonly step: FirstStep; readonly run: RunDetail }) {
  const { pathname, search } = useLocation();
  const runPath = `/runs/${runId}`;
  switch (step.kind) {
    case 'voted':
      return null;
    case 'otherPerson':
      return <OtherPersonButton approval={step.approval} />;
    case 'decide': {
      const path = `/approvals/${step.approval.approvalId}`;
      return pathname === path ? null : <StepLink to={path}>{t.openApproval}</StepLink>;
    }
    case 'ended': {
      const hasOpened = pathname === runPath && new URLSearchParams(search).get('tab') === 'evidence';
      return hasOpened ? (
        <Button size="xs" onClick={closeFirstSteps}>
          {t.done}
        </Button>
      ) : (
        <StepLink to={`${runPath}?tab=evidence`}>{t.showEvidence}</StepLink>
      );
    }
    default:
      return pathname === runPath ? null : <StepLink to={runPath}>{t.showRun}</StepLink>;
  }
}

function StepLink({ to, children }: { readonly to: string; readonly children: string }) {
  return (
    <Button component={Link} to={to} size="xs">
      {children}
    </Button>
  );
}

/** Shows the evidence if the user's vote has ended the run, unless the user has gone elsewhere in the meantime. */
function useGoToEvidence(runId: string, step: FirstStep, votedApprovalId: string | undefined): void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const hasShownEvidence = useRef(false);
  const isOnApproval =
    votedApprovalId !== undefined && (pathname === '/approvals' || pathname === `/approvals/${votedApprovalId}`);
  const hasEnded = step.kind === 'ended';
  useEffect(() => {
    if (!hasEnded || !isOnApproval || hasShownEvidence.current) return;
    hasShownEvidence.current = true;
    void navigate(`/runs/${runId}?tab=evidence`);
  }, [hasEnded, isOnApproval, navigate, runId]);
}
