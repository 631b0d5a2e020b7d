import { maxRisk, RISK_LEVELS, type RiskLevel, type StepRisk } from '@countersign/model';

/** The risks of a run's steps while a command is carried out, which may enter thousands of elements: nothing here searches them. */
export class RunRisks {
  /** By a number of its own each, the last recorded last. */
  private readonly risks = new Map<number, StepRisk>();
  /** The numbers of those of an element: several only where a migration has made several elements one. */
  private readonly ofElement = new Map<string, number[]>();
  private readonly counts = new Map<RiskLevel, number>();
  private list: readonly StepRisk[] | undefined;
  private added = 0;

  constructor(risks: readonly StepRisk[]) {
    for (const risk of risks) this.add(risk);
    this.list = risks;
  }

  find(elementId: string): StepRisk | undefined {
    const [first] = this.ofElement.get(elementId) ?? [];
    return first === undefined ? undefined : this.risks.get(first);
  }

  /** In the place of what was recorded of the element before. */
  record(risk: StepRisk): void {
    for (const number of this.ofElement.get(risk.elementId) ?? []) {
      const before = this.risks.get(number);
      if (before !== undefined) this.count(before.level, -1);
      this.risks.delete(number);
    }
    this.ofElement.delete(risk.elementId);
    this.add(risk);
    this.list = undefined;
  }

  /** The run's risk: the highest of the steps that were not superseded by rework. */
  get highest(): RiskLevel {
    return RISK_LEVELS.reduce<RiskLevel>(
      (highest, level) => ((this.counts.get(level) ?? 0) > 0 ? maxRisk(highest, level) : highest),
      'low',
    );
  }

  /** As the state of a run has them. */
  all(): readonly StepRisk[] {
    return (this.list ??= [...this.risks.values()]);
  }

  private add(risk: StepRisk): void {
    this.added += 1;
    this.risks.set(this.added, risk);
    const numbers = this.ofElement.get(risk.elementId);
    if (numbers === undefined) this.ofElement.set(risk.elementId, [this.added]);
    else numbers.push(this.added);
    this.count(risk.level, 1);
  }

  private count(level: RiskLevel, change: 1 | -1): void {
    this.counts.set(level, (this.counts.get(level) ?? 0) + change);
  }
}
