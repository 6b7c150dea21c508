-- The mean total of completed orders at each discount.
SELECT discountPercent, COUNT(*) AS completed, CAST(round(avg(totalCents)) AS INTEGER) AS averageCents
  FROM orders WHERE completedOn IS NOT NULL AND NOT isDeleted GROUP BY 1 ORDER BY 1
