// Callers above and callees below one function: two trees that share a frame, as one tree for the painter and the keys.

/** `up` and `down` are FlameTrees of the callers and the callees of one function, which is the first frame of each. Frame 0 of the result is the function itself; rows go up towards callers. */
function sandwichOf(up, down) {
  const tree = Object.create(FlameTree.prototype), shift = up.size - 2, size = shift + down.size - 1, middle = up.rows - 2;
  const sides = [[up, 0, -1], [down, shift, 1]];
  const column = (name, kind) => {
    const all = new kind(size);
    all[0] = down[name][1];
    for (const [from, offset] of sides) for (let i = 2; i < from.size; i++) all[offset + i - 1] = from[name][i];
    return all;
  };
  Object.assign(tree, {size, second: shift + 1, rows: middle + down.rows - 1, compared: down.compared, wholeName: down.name(1), joined: down.joined, largestChange: 0, kind: {}});
  for (const name of ["selfBase", "selfHead", "base", "head", "both"]) tree[name] = column(name, Float64Array);
  tree.id = column("id", Array);
  tree.parent = column("parent", Int32Array);
  tree.depth = column("depth", Int32Array);
  tree.end = column("end", Int32Array);
  for (const [from, offset, way] of sides)
    for (let i = 2; i < from.size; i++) {
      const at = offset + i - 1;
      tree.parent[at] = from.parent[i] === 1 ? 0 : offset + from.parent[i] - 1;
      tree.depth[at] = middle + way * (from.depth[i] - 1);
      tree.end[at] = offset + from.end[i] - 1;
      if (from.kind[i - 1]) tree.kind[at - 1] = from.kind[i - 1];
    }
  Object.assign(tree.parent, {0: -1});
  [tree.depth[0], tree.end[0]] = [middle, size];
  for (let i = 0; i < size; i++) tree.largestChange = Math.max(tree.largestChange, Math.abs(tree.head[i] - tree.base[i]));
  return tree;
}
