// Changes between two views, put back: the other half of viewer/difference.py.

/** Returns a view with changes, [[path, value], …]; what has not changed is shared. */
export function changed(view, changes) {
  return changes.reduce((sofar, [path, value]) => put(sofar, path, 0, value), view);
}

function put(view, path, depth, value) {
  if (depth === path.length) return value;
  const other = Array.isArray(view) ? view.slice() : { ...view };
  const key = path[depth];
  // A plain assignment to a key such as __proto__ would do something else.
  Object.defineProperty(other, key, {
    value: put(view[key], path, depth + 1, value),
    enumerable: true,
    writable: true,
    configurable: true,
  });
  return other;
}

/** Returns frames with a whole view each, of frames that have `set` where they follow another. */
export function unfolded(frames, before = null) {
  let view = before;
  return frames.map((frame) => {
    view = frame.set ? changed(view, frame.set) : frame.view;
    return { ...frame, set: undefined, view };
  });
}
