import type { PoolClient } from "pg";

/** The relevant properties of a plan's node. */
interface PlanNode {
  readonly "Join Type"?: string;
  readonly "Parent Relationship"?: string;
  readonly Output?: readonly string[];
  readonly Plans?: readonly PlanNode[];
}

export interface OuterJoinedColumns {
  /** Whether the plan has an outer join, or another node that can make a column null. */
  readonly hasOuterJoins: boolean;
  /** The indexes of the result's columns from the nullable side of an outer join. */
  readonly positions: ReadonlySet<number>;
}

/** Nodes that can themselves make a column null. */
const EMPTYING = /\b(?:LEFT|RIGHT|FULL|GROUPING SETS)\b/i;

/**
 * Finds the columns of a statement's result that an outer join can make null, by its plan, in which expressions are identified by
 * their text. It does not see an outer join in a WITH or a subquery that PostgreSQL plans separately: the columns of that count as
 * those of the table.
 */
export async function findOuterJoinedColumns(client: PoolClient, text: string): Promise<OuterJoinedColumns> {
  const { rows } = await client.query<{ "QUERY PLAN": readonly { Plan: PlanNode }[] }>(
    `EXPLAIN (GENERIC_PLAN, VERBOSE, FORMAT JSON) ${text}`,
  );
  const root = rows[0]?.["QUERY PLAN"][0]?.Plan;
  const emptied = new Set(root === undefined ? [] : emptiedOutputs(root));
  const positions = (root?.Output ?? []).flatMap((output, index) => (emptied.has(output) ? [index] : []));
  return { hasOuterJoins: EMPTYING.test(text), positions: new Set(positions) };
}

/** The outputs of all parts of a plan on the nullable side of an outer join. */
function emptiedOutputs({ "Join Type": join, Plans: plans = [] }: PlanNode): string[] {
  return plans.flatMap((plan) => [
    ...(isMissable(join, plan["Parent Relationship"]) ? (plan.Output ?? []) : []),
    ...emptiedOutputs(plan),
  ]);
}

function isMissable(join: string | undefined, side: string | undefined): boolean {
  if (join === "Full") return side === "Outer" || side === "Inner";
  return (join === "Left" && side === "Inner") || (join === "Right" && side === "Outer");
}
