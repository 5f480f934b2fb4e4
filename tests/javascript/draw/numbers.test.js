import assert from "node:assert/strict";
import { test } from "node:test";

import { exactNumber, fixed, roughly, scaleNumber, shortNumber, shortProbability, significant, weightInCell }
  from "../../../viz_app/stage/draw/numbers.js";

test("what is printed as zero has no sign", () => {
  assert.deepEqual([-0.04, -0.06, -0].map((number) => fixed(number, 1)), ["0.0", "−0.1", "0.0"]);
});

test("a number is rounded once, from the value itself", () => {
  // The decimal digits of these float32 are 0.17753599584, 0.00150000001, 0.24449999630...
  const numbers = [0.177536, 0.0015, 0.2445].map(Math.fround);
  assert.deepEqual(numbers.map((number) => fixed(number, 3)), ["0.178", "0.002", "0.244"]);
  assert.equal(fixed(Math.fround(0.0035), 3), "0.004");
});

test("a tie goes to the even digit, as Python prints it", () => {
  assert.deepEqual([0.0625, 0.1875, 0.3125, -0.0625].map((number) => fixed(number, 3)),
    ["0.062", "0.188", "0.312", "−0.062"]);
  assert.deepEqual([0.125, 0.375, 0.625].map(weightInCell), [".12", ".38", ".62"]);
  assert.deepEqual([2.5, 3.5].map((number) => fixed(number, 0)), ["2", "4"]);
});

test("nine digits of a spreadsheet are those that Python writes", () => {
  assert.deepEqual([1.705078125, -0.1337890625, 0.6259765625, 0.1, 0, 3e-12, -1e9]
    .map((number) => significant(number, 9)),
  [1.70507812, -0.133789062, 0.625976562, 0.1, 0, 3e-12, -1e9]);
});

test("a number in short keeps about four digits", () => {
  assert.deepEqual([0, 0.25, -3.14159, 42.42, -271.8, 314159, 0.00012, -1e9].map(shortNumber),
    ["0.000", "0.250", "−3.142", "42.42", "−271.8", "3.1e5", "1.2e−4", "−1e9"]);
  assert.equal(shortNumber(-Infinity), "−∞");
});

test("the exact digits of a float32 read back to it", () => {
  for (let i = 0; i < 2000; i += 1) {
    const number = Math.fround((Math.random() - 0.5) * 10 ** (8 * Math.random() - 4));
    assert.equal(Math.fround(Number(exactNumber(number).replaceAll("−", "-"))), number);
  }
});

test("a probability that would round to zero says so", () => {
  assert.deepEqual([0, 0.0004, 0.0005, 1].map(shortProbability),
    ["0.000", "<.001", "0.001", "1.000"]);
});

test("how often is said in two digits", () => {
  assert.deepEqual([1.6487, 20.1, 999, 44356, 4.85e8].map(roughly), ["1.6", "20", "1,000", "44,000", "490,000,000"]);
});

test("the ends of a scale are written without powers while three digits say them", () => {
  assert.deepEqual([0.024, -0.0093, 0.0005].map((most) => scaleNumber(most, Math.abs(most), 0.001)), ["0.024", "−0.009", "5e−4"]);
});
