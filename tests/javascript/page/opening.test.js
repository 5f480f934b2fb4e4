// What a slow question waits for: asked ever less often, and shown where it is another.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { watchOpening } from "../../../viz_app/stage/page/opening.js";

const settled = () => new Promise((resolve) => { setImmediate(resolve); });

test("it is asked ever less often, and what it says again is not shown again", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const [line, opened] = [{ phase: "ready", waiting: 9 }, { phase: "ready", waiting: 8 }];
  const [asked, shown] = [[], []];
  let [now, isOver] = [0, false];
  const transport = async () => {
    asked.push(now);
    return { status: now < 3000 ? { ...line } : { ...opened } };
  };
  const watching = watchOpening(transport, "m", () => isOver, (status) => shown.push(status));
  for (; now < 10000; now += 50) {
    await settled();
    mock.timers.tick(50);
  }
  isOver = true;
  mock.timers.tick(2000);
  await watching;
  mock.timers.reset();
  const gaps = asked.slice(1).map((time, place) => time - asked[place]);
  assert.ok(gaps[0] < gaps[1] && gaps[1] < gaps[2] && gaps.length < 10, String(asked));
  assert.ok(Math.max(...gaps) <= 2050);
  assert.deepEqual(shown, [line, opened]);
});
